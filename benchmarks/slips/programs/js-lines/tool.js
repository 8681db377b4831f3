const fs = require('fs');

function describe(user) {
  const city = user.address.city; // BUG address
  const first = user.name.split(' ')[0]; // BUG name
  const pet = user.pets.map((each) => each.kind); // BUG pets
  return [city, first, pet];
}

for (const user of JSON.parse(fs.readFileSync(process.argv[2], 'utf8'))) {
  console.log(describe(user));
}
