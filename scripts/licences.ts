import { isAllowedLicence, listShippedPackages } from './shipped-packages.js';

/** Lists every package that ships, by licence; fails on a licence nobody has agreed to. */
const packages = listShippedPackages();
for (const licence of [...new Set(packages.map((one) => one.licence))].sort()) {
  const members = packages.filter((one) => one.licence === licence);
  console.log(`${licence} (${members.length})`);
  for (const { name, version } of members) console.log(`  ${name} ${version}`);
}
const refused = packages.filter(({ licence }) => !isAllowedLicence(licence));
if (refused.length > 0) {
  console.error(
    `Not agreed to: ${refused.map(({ name, licence }) => `${name} (${licence})`).join(', ')}`,
  );
  process.exitCode = 1;
}
