import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { describe, expect, test } from 'vitest';
import { program } from '../sandbox/process.ts';
import { placesIn } from '../src/own-files.ts';

const dist = resolve(program, '../../dist');
const read = (name: string) => readFileSync(resolve(dist, name), 'utf8');
const run = promisify(execFile);

describe('the built bot', () => {
  test('names files of the source where it prints an error', async () => {
    const bundle = pathToFileURL(resolve(dist, 'appliance-bot.js')).href;
    const broken = `
      const settings = { get: (_, name) => { if (name === 'SLACK_BOT_TOKEN') throw new Error('broken'); } };
      const { run } = await import(${JSON.stringify(bundle)});
      await run(new Proxy({}, settings));`;
    const failed = await run(process.execPath, ['--input-type=module', '--eval', broken]).catch(
      (error) => error,
    );
    const [frame] = failed.stderr.match(/src\/config\/config\.ts:\d+:\d+/) ?? [];
    const [file = '', line = 0] = frame?.split(':') ?? [];
    expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]).toContain('SLACK_BOT_TOKEN');
    expect(failed.stderr).toMatch(/at run \(src\/main\.ts:\d+:\d+\)/);
    expect(failed.stderr).not.toContain(`${bundle}:`);
  });

  test.each(['appliance-bot.js', 'command-line.js'])(
    '%s has a map that knows where its lines come from, and no start reads it',
    (name) => {
      const lines = read(name).split('\n');
      const map = JSON.parse(read(`${name}.map`));
      const line = lines.findIndex((one) => one.includes('Appliance Bot cannot start: '));
      const place = `${line + 1}:${(lines[line]?.indexOf('super(') ?? 0) + 1}`;
      const [file = '', own = 0] = placesIn(map, [place]).get(place)?.split(':') ?? [];
      expect(file).toBe('src/problem.ts');
      expect(readFileSync(file, 'utf8').split('\n')[Number(own) - 1]).toContain(
        'Appliance Bot cannot start: ',
      );
      expect(lines.filter((one) => one.startsWith('//# sourceMappingURL'))).toEqual([]);
      expect(map.sourcesContent ?? []).toEqual([]);
    },
  );

  test('consists of its files and nothing else', () => {
    expect(readdirSync(dist).sort()).toEqual([
      ...['THIRD-PARTY-LICENSES.txt', 'appliance-bot.js', 'appliance-bot.js.map'],
      ...['command-line.js', 'command-line.js.map', 'sbom.cdx.json'],
    ]);
  });
});

describe('the list of what the bot is built from', () => {
  const licences = read('THIRD-PARTY-LICENSES.txt');
  const sbom: Sbom = JSON.parse(read('sbom.cdx.json'));
  /** All packages in the source maps, read apart from the code that lists the packages. */
  const packages = new Set(
    ['appliance-bot.js.map', 'command-line.js.map'].flatMap((name) =>
      JSON.parse(read(name)).sources.flatMap((source: string) => {
        const [, found] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source) ?? [];
        return found === undefined ? [] : [found];
      }),
    ),
  );

  test('names each package with its version, licence and digest, as the lock file has them', () => {
    const { packages: locked } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    expect(packages.size).toBeGreaterThan(30);
    const listed = new Map(sbom.components.map((one) => [one.name, one]));
    expect([...packages].filter((name) => !listed.has(name))).toEqual([]);
    for (const { name, version, hashes } of sbom.components) {
      const digests = Object.entries<{ version: string; integrity: string }>(locked)
        .filter(([path, one]) => path.endsWith(`node_modules/${name}`) && one.version === version)
        .map(([, { integrity }]) => Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex'));
      expect(digests, name).toContain(hashes[0]?.content);
    }
  });

  test('is a bill of materials by the schema of CycloneDX, which knows each licence', async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    expect(await validator.validate(JSON.stringify(sbom))).toBeNull();
    const wrong = {
      ...sbom,
      components: [{ ...sbom.components[0], licenses: [{ license: { id: 'MITT' } }] }],
    };
    expect(await validator.validate(JSON.stringify(wrong))).not.toBeNull();
  });

  test('comes with the words of every licence', () => {
    for (const { name, version } of sbom.components) expect(licences).toContain(`\n${name} ${version} (`);
    expect(licences.match(/^={80}$/gm)).toHaveLength(sbom.components.length);
    expect(licences).toMatch(/Permission is hereby granted, free of charge/);
  });

  test('names nothing of this machine and no registry', () => {
    for (const name of readdirSync(dist)) {
      expect(read(name).includes(resolve('.')), name).toBe(false);
      expect(/https?:\/\/[^\s"']*registry/.exec(read(name))?.[0], name).toBeUndefined();
    }
  });
});

interface Sbom {
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly hashes: readonly { readonly content: string }[];
  }[];
}
