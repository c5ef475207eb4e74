import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import type { Resource } from './chart.ts';

/** Made by others of the schemas of Kubernetes and of the Prometheus operator. */
const models = {
  'kubernetes-models/apps/v1/StatefulSet': StatefulSet,
  'kubernetes-models/networking.k8s.io/v1/NetworkPolicy': NetworkPolicy,
  'kubernetes-models/policy/v1/PodDisruptionBudget': PodDisruptionBudget,
  'kubernetes-models/v1/ConfigMap': ConfigMap,
  'kubernetes-models/v1/Service': Service,
  'kubernetes-models/v1/ServiceAccount': ServiceAccount,
  '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor': ServiceMonitor,
};

/**
 * Faults by the schemas of Kubernetes, a line each. The types find unknown keys, which Kubernetes would drop silently;
 * the validators find bad values.
 */
export async function refusedByKubernetes(resources: readonly Resource[]): Promise<readonly string[]> {
  const refused: string[] = [];
  const imports = new Set<string>();
  const literals: string[] = [];
  for (const resource of resources) {
    const known = Object.entries(models).find(
      ([, { kind, apiVersion }]) => kind === resource.kind && apiVersion === resource.apiVersion,
    );
    if (known === undefined) {
      refused.push(`${resource.apiVersion} ${resource.kind} is not known`);
      continue;
    }
    const [from, Model] = known;
    try {
      new Model(resource).validate();
    } catch (error) {
      refused.push(`${resource.kind}: ${error instanceof Error ? error.message : error}`);
    }
    imports.add(`import type { I${resource.kind} } from '${from}';`);
    literals.push(`export const one${literals.length}: I${resource.kind} = ${JSON.stringify(resource)};`);
  }
  return [...refused, ...(await refusedByTypes([...imports, ...literals].join('\n')))];
}

async function refusedByTypes(source: string): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kubernetes-'));
  try {
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'resources.ts'), source);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', ''];
    const told = await promisify(execFile)(resolve('node_modules/.bin/tsc'), [...options, 'resources.ts'], {
      cwd: folder,
    }).catch((error: { stdout: string }) => error);
    return told.stdout.split('\n').filter((line) => line !== '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
