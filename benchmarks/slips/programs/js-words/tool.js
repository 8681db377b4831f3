const fs = require('fs');

function check(condition, message) {
  if (!condition) throw new Error(message);
}

function validate(rule) {
  check(rule.id !== undefined, 'a rule needs an id');
  check(rule.max >= rule.min, 'the range is empty');
}

JSON.parse(fs.readFileSync(process.argv[2], 'utf8')).forEach(validate);
