import java.nio.file.*;

public class Tool {
    static String shift(String line) {
        String[] cells = line.split(",");
        String third = cells[2]; // BUG third
        int index = third.length();
        return cells[index] + third; // BUG index
    }

    public static void main(String[] args) throws Exception {
        for (String line : Files.readAllLines(Path.of(args[0]))) System.out.println(shift(line));
    }
}
