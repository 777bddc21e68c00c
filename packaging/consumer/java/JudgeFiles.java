import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;

/** Judges the files whose paths are the lines of standard input, with the class of docs/java.md. */
public class JudgeFiles {
    public static void main(String[] arguments) throws Exception {
        Assay assay = new Assay(Path.of(arguments[0]));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String path = in.readLine(); path != null; path = in.readLine()) {
            Assay.Result result = assay.check(Path.of(path));
            System.out.println(result.valid() ? "accept" : !result.invalid() ? "error"
                    : "reject " + result.rule() + " " + result.offset());
        }
    }
}
