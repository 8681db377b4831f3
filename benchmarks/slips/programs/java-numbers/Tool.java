import java.nio.file.*;

public class Tool {
    static int ratio(String line) {
        int slash = line.indexOf('/');
        int left = Integer.parseInt(line.substring(0, Math.max(slash, 0))); // BUG left
        int right = Integer.parseInt(line.substring(slash + 1)); // BUG right
        return left / right;
    }

    public static void main(String[] args) throws Exception {
        for (String line : Files.readAllLines(Path.of(args[0]))) System.out.println(ratio(line));
    }
}
