const fs = require("fs");
const { buildSchema, validateSchema } = require(process.argv[2]);

let errors;
try {
  errors = validateSchema(buildSchema(fs.readFileSync(process.argv[3], "utf8")));
} catch {
  process.exit(2);
}
if (errors.length !== 1) process.exit(errors.length ? 2 : 1);
process.exit(errors[0].message.includes("within itself through a series of non-null fields") ? 0 : 1);
