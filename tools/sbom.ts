import packageJson from '../package.json' with { type: 'json' };
import type { BundledPackage } from './bundled-packages.ts';

/**
 * The bill of materials in CycloneDX 1.6, for those who compare it with what is known of vulnerable packages. The same sources
 * make the same one: it has no time and no number of its own.
 */
export function sbomOf(packages: readonly BundledPackage[]): object {
  const { name, version, description, license } = packageJson;
  const own = `pkg:npm/${name}@${version}`;
  const isBundled = new Set(packages.map((one) => one.name));
  const refs = (names: readonly string[]) =>
    packages.filter((one) => names.includes(one.name)).map(({ purl }) => purl);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: {
        ...{ type: 'application', 'bom-ref': own, name, version, description, purl: own },
        licenses: [{ license: { id: license } }],
      },
    },
    components: packages.map(({ name, version, license, purl, digest }) => ({
      ...{ type: 'library', 'bom-ref': purl, name, version, purl },
      licenses: [/ (?:AND|OR|WITH) /.test(license) ? { expression: license } : { license: { id: license } }],
      hashes: [{ alg: 'SHA-512', content: digest }],
    })),
    dependencies: [
      { ref: own, dependsOn: refs(Object.keys(packageJson.dependencies)) },
      ...packages.map(({ purl, needs }) => ({
        ref: purl,
        dependsOn: refs(needs.filter((one) => isBundled.has(one))),
      })),
    ],
  };
}
