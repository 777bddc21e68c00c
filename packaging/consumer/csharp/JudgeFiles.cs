using System;

/// <summary>Judges the files whose paths are the lines of standard input, with the class of docs/csharp.md.</summary>
public static class JudgeFiles
{
    public static void Main()
    {
        for (string path = Console.ReadLine(); path != null; path = Console.ReadLine())
        {
            Verdict verdict = Assay.Check(path);
            Console.WriteLine(verdict.Valid ? "accept" : !verdict.Invalid ? "error"
                : "reject " + verdict.Rule + " " + verdict.Offset);
        }
    }
}
