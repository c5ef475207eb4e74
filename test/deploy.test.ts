import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { defaults, type Resource, render, valuesSchema } from './chart/chart.ts';

const unit = 'deploy/systemd/appliance-bot.service';

/** On Linux it is there wherever systemd is; `.ci/run` installs it. */
describe.runIf(existsSync('/usr/bin/systemd-analyze'))('the unit of systemd', () => {
  test('is valid for systemd, and leaves the bot little that it could harm', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'unit-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'appliance-bot.service');
    // As if this checkout stood where the unit looks for it.
    const text = readFileSync(unit, 'utf8')
      .replaceAll('/opt/appliance-bot/node_modules/.bin/node', process.execPath)
      .replaceAll('/opt/appliance-bot', resolve('.'));
    writeFileSync(file, text);
    expect(await analyze('verify', '--man=no', file)).toBe('');
    const said = await analyze('security', '--offline=true', '--threshold=25', '--no-pager', file);
    expect(said).toMatch(/Overall exposure level for appliance-bot\.service: [0-2]\.\d OK/);
  });
});

test('the command beside the unit runs the same program with the same user and settings, and none without a command', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wrapper-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // Says what it was called with, one a line, in the place of systemd's own.
  writeFileSync(join(folder, 'systemd-run'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
  const call = (...words: readonly string[]) =>
    spawnSync('sh', ['deploy/systemd/appliance-bot', ...words], {
      encoding: 'utf8',
      env: { PATH: `${folder}:${process.env.PATH}` },
    });
  const { stdout } = call('audit', 'verify');
  const text = readFileSync(unit, 'utf8');
  const of = (key: string) =>
    [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  expect(stdout.split('\n')).toEqual(
    expect.arrayContaining([
      ...of('User').map((user) => `--uid=${user}`),
      ...of('EnvironmentFile').map((file) => `--property=EnvironmentFile=${file}`),
      ...of('Environment').flatMap((one) => (one.startsWith('APPLIANCE_BOT_') ? [`--setenv=${one}`] : [])),
    ]),
  );
  const [folderOfIt = ''] = of('WorkingDirectory');
  const program = of('ExecStart')[0]?.replace(' bin/', ` ${folderOfIt}/bin/`).split(' ');
  expect(stdout.trimEnd().split('\n').slice(-4)).toEqual([...(program ?? []), 'audit', 'verify']);
  expect(call()).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('Usage:') });
});

/** The output of systemd-analyze, followed by the exit code where that is not 0. */
const analyze = (...words: readonly string[]) =>
  new Promise<string>((done) => {
    execFile('systemd-analyze', words, { env: { PATH: process.env.PATH, TERM: 'dumb' } }, (error, out, err) =>
      done(`${out}${err}${error ? `exit ${error.code}\n` : ''}`),
    );
  });

test('compose.yml gives the bot time to stop, one writable folder, and a ready database', () => {
  const { services, volumes, secrets } = parse(readFileSync('compose.yml', 'utf8'));
  const { bot, postgres } = services;
  expect(bot).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    stop_grace_period: '30s',
    env_file: '.env',
  });
  // The operator opens the bot's ports; only the bot reaches the database.
  for (const service of [bot, postgres])
    for (const more of ['ports', 'network_mode', 'privileged', 'user', 'pid'])
      expect(service).not.toHaveProperty(more);
  for (const secret of Object.values(secrets)) expect(Object.keys(secret as object)).toEqual(['file']);
  expect(bot.depends_on.postgres.condition).toBe('service_healthy');
  expect(postgres.healthcheck.test).toContain('pg_isready');
  // Every named file exists, and the file holds no password.
  for (const one of [...bot.volumes, ...postgres.volumes]) {
    const [source = ''] = one.split(':');
    if (!source.startsWith('.')) expect(volumes).toHaveProperty(source);
  }
  for (const one of bot.secrets) expect(secrets).toHaveProperty(one);
  const url = new URL(bot.environment.DATABASE_URL.replace(/\$\{[^}]+\}/, 'set-in-env'));
  expect([url.hostname, url.username, url.password]).toEqual(['postgres', 'appliance_bot', 'set-in-env']);
  expect([postgres.environment.POSTGRES_USER, postgres.environment.POSTGRES_DB]).toEqual([
    url.username,
    url.pathname.slice(1),
  ]);
});

describe('the Helm chart', () => {
  const least = { existingSecret: 'tokens', policy: 'appliances:\n  hq:\n    url: http://10.0.0.1\n' };
  const several = { ...least, replicas: 3, database: { external: true } };
  const one = (all: readonly Resource[], kind: string) => all.find((resource) => resource.kind === kind);

  test('makes, by default, one bot with a volume of its own, as nobody, that writes to nothing else', () => {
    const all = render(least);
    expect(all.map(({ kind }) => kind)).toEqual([
      ...['NetworkPolicy', 'ConfigMap', 'Service', 'ServiceAccount', 'StatefulSet'],
    ]);
    const { spec } = one(all, 'StatefulSet');
    const { spec: pod, metadata } = spec.template;
    const [bot] = pod.containers;
    expect(spec.replicas).toBe(1);
    expect(spec.volumeClaimTemplates[0].spec.resources.requests.storage).toBe('5Gi');
    expect(pod).toMatchObject({ automountServiceAccountToken: false, terminationGracePeriodSeconds: 30 });
    expect(pod.securityContext.runAsNonRoot).toBe(true);
    expect(bot.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(bot.envFrom).toEqual([{ secretRef: { name: 'tokens' } }]);
    for (const probe of [bot.startupProbe, bot.livenessProbe, bot.readinessProbe]) {
      expect(bot.ports.map(({ name }: { name: string }) => name)).toContain(probe.httpGet.port);
    }
    const mounted = bot.volumeMounts.map(({ name }: { name: string }) => name).sort();
    const there = [
      ...pod.volumes,
      ...spec.volumeClaimTemplates.map(({ metadata }: { metadata: object }) => metadata),
    ];
    expect(there.map(({ name }) => name).sort()).toEqual(mounted);
    expect(one(all, 'ConfigMap')?.data['appliance-bot.yml']).toBe(least.policy);
    for (const selector of [spec.selector.matchLabels, one(all, 'Service').spec.selector]) {
      expect(metadata.labels).toMatchObject(selector);
    }
    expect(one(all, 'NetworkPolicy').spec).toMatchObject({ policyTypes: ['Ingress'], ingress: [] });
  });

  test('makes several only with a shared database, and stops one of them at a time', () => {
    const all = render(several);
    const { spec } = one(all, 'StatefulSet');
    expect(spec.replicas).toBe(3);
    expect(spec.volumeClaimTemplates).toBeUndefined();
    expect(spec.template.spec.volumes).toContainEqual({ name: 'data', emptyDir: {} });
    expect(one(all, 'PodDisruptionBudget').spec).toMatchObject({
      maxUnavailable: 1,
      selector: { matchLabels: spec.selector.matchLabels },
    });
    expect(() => render({ ...several, database: { external: false } })).toThrow('database.external to true');
  });

  test.each([
    [{ ...least, existingSecret: '' }, 'Set existingSecret'],
    [{ ...least, policy: '' }, 'Set policy'],
  ])('names missing values: %#', (values, says) => {
    expect(() => render(values)).toThrow(says);
  });

  test('takes its values: variables, image, monitor, clients of the metrics, placement', () => {
    const all = render({
      ...least,
      ...{ policy: '', existingPolicy: 'own' },
      image: { repository: 'registry.example.com/bot', tag: '9' },
      imagePullSecrets: [{ name: 'pull' }],
      env: { LOG_LEVEL: 'debug', PORT: '3000' },
      serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
      networkPolicy: { metricsFrom: [{ name: 'monitoring' }] },
      podAnnotations: { team: 'network' },
      nodeSelector: { zone: 'a' },
      tolerations: [{ key: 'spot', operator: 'Exists' }],
      persistence: { storageClass: 'fast' },
      serviceAccount: { annotations: { of: 'us' } },
    });
    const { template, volumeClaimTemplates } = one(all, 'StatefulSet').spec;
    const [bot] = template.spec.containers;
    expect(bot.image).toBe('registry.example.com/bot:9');
    expect(bot.env).toContainEqual({ name: 'PORT', value: '3000' });
    expect(template.spec.volumes).toContainEqual({ name: 'policy', configMap: { name: 'own' } });
    expect(one(all, 'ConfigMap')).toBeUndefined();
    expect(template.metadata.annotations).toEqual({ team: 'network' });
    expect(template.spec).toMatchObject({
      nodeSelector: { zone: 'a' },
      imagePullSecrets: [{ name: 'pull' }],
    });
    expect(template.spec.tolerations).toEqual([{ key: 'spot', operator: 'Exists' }]);
    expect(volumeClaimTemplates[0].spec.storageClassName).toBe('fast');
    expect(one(all, 'ServiceMonitor').metadata.labels.release).toBe('prometheus');
    expect(one(all, 'ServiceMonitor').spec.endpoints[0].port).toBe('health');
    expect(one(all, 'NetworkPolicy').spec.ingress[0].from).toEqual([
      { namespaceSelector: { matchLabels: { name: 'monitoring' } } },
    ]);
  });

  test('has a schema for its values, which knows all of them and refuses nonsense', () => {
    const ajv = new Ajv();
    const isValid = (values: object) => ajv.validate(valuesSchema, { ...defaults, ...values });
    expect(isValid({})).toBe(true);
    expect(isValid(several)).toBe(true);
    expect(isValid({ replicas: 2 })).toBe(false);
    expect(isValid({ replica: 2 })).toBe(false);
    expect(isValid({ env: { PORT: 3000 } })).toBe(false);
    const schema = valuesSchema as { readonly properties: object };
    expect(
      Object.keys(schema.properties)
        .filter((name) => name !== 'global')
        .sort(),
    ).toEqual(Object.keys(defaults).sort());
  });

  test('has the version of the bot', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(parse(readFileSync('deploy/helm/appliance-bot/Chart.yaml', 'utf8'))).toMatchObject({
      ...{ version, appVersion: version },
    });
  });
});
