// Compiles each program that it is given, a line of Base64 each, and prints a line that says what
// came of it. Runs in Rhino itself, so that Java starts only once.
var lines = new java.io.BufferedReader(new java.io.InputStreamReader(java.lang.System["in"]));
var factory = new Packages.org.mozilla.javascript.ContextFactory();
var line;
while ((line = lines.readLine()) !== null) {
  var text = new java.lang.String(java.util.Base64.getDecoder().decode(line), "UTF-8");
  var said = "compiled";
  try {
    factory.call(function (context) {
      context.setLanguageVersion(200);
      context.setOptimizationLevel(-1);
      context.compileString(text, "input", 1, null);
      return null;
    });
  } catch (error) {
    said = String(error).replace(/[\r\n]+/g, " ");
  }
  print(said);
}
