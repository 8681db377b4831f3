package shop.ledger;

import java.util.*;
import static java.lang.Math.max;

/** Keeps the books. */
@Deprecated
public final class Ledger<T extends Comparable<T>> extends Book implements Iterable<T> {
    private static final int LIMIT = 0xff;
    private final List<T> entries = new ArrayList<>();
    protected long total = 0L, count;

    enum Kind { IN, OUT("x") { }; Kind(String... names) { } }

    record Entry(String name, double amount) { }

    interface Visitor<R> { R visit(Entry entry) throws Exception; }

    public Ledger(T first, int... sizes) {
        super(first);
        this.entries.add(first);
        for (int i = 0; i < sizes.length; i++) { total += sizes[i] * 2; }
    }

    @Override
    public Iterator<T> iterator() { return entries.iterator(); }

    synchronized <R> R each(Visitor<R> visitor, Entry entry) {
        try {
            if (entry == null || entry.amount() < 0) {
                throw new IllegalArgumentException("bad: " + entry);
            } else {
                count++;
            }
            return visitor.visit(entry);
        } catch (RuntimeException | Error error) {
            System.out.println(error.getMessage());
        } catch (Exception error) {
            count = (int) total;
        } finally {
            total -= 1;
        }
        while (count > 0 && !entries.isEmpty()) { count--; if (count == 3) break; }
        switch (entries.size()) {
            case 0: return null;
            default: for (T item : entries) { Objects.hash(item, 'c', 1.5f, true); }
        }
        Runnable later = () -> max(1, LIMIT >>> 2);
        entries.sort(Comparator.comparing(T::hashCode));
        int[] sizes = { 1, 2, 3 };
        return sizes[0] > 1 ? null : (entry instanceof Entry) ? null : null;
    }
}
