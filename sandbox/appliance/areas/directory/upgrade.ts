import type { DirectoryState, Upgrade } from '../../company/directory.ts';
import { dateText } from '../../times.ts';

/** The events of an upgrade in `latest_upgrade`, and the seconds after the upload when they come. */
type Stages = readonly [seconds: number, event: (upgrade: Upgrade) => string][];

const stages: Stages = [
  [0, ({ file }) => `${file.filename} uploaded, ${file.size} bytes`],
  [5, ({ file }) => `Extracting ${file.filename}`],
  [20, ({ kind }) => `Installing the ${kind}`],
  [60, ({ kind }) => `The ${kind} is installed`],
];

/** How it fails is not documented. Here nothing is changed, and the last event says why. */
const failingStages: Stages = [
  ...stages.slice(0, 2),
  [20, ({ kind, file }) => `Failed: ${file.filename} is no archive, the ${kind} is not installed`],
];

/** Its events take the place of those of the upgrade before (appliance-api.md §2.10). */
export function startUpgrade(directory: DirectoryState, upgrade: Upgrade): void {
  directory.upgrade = upgrade;
  continueUpgrade(directory, upgrade.file.at);
}

/** Tells the stages that are reached; after the last one the appliance has its new version, or the upgrade has failed. */
export function continueUpgrade(directory: DirectoryState, now: Date): void {
  const { upgrade, version } = directory;
  if (upgrade === undefined) return;
  const start = upgrade.file.at.getTime();
  const planned = upgrade.isArchive ? stages : failingStages;
  const reached = planned.filter(([seconds]) => now.getTime() >= start + seconds * 1000);
  version.latestUpgrade = reached.map(
    ([seconds, event]) => `${dateText(new Date(start + seconds * 1000))} ${event(upgrade)}`,
  );
  if (reached.length < planned.length) return;
  directory.upgrade = undefined;
  if (!upgrade.isArchive) return;
  if (upgrade.kind === 'service pack') {
    version.servicePack = String(Number(version.servicePack) + 1);
    version.hotfix = '';
    version.text = `${version.major} Service Pack ${version.servicePack}`;
  } else {
    version.hotfix = hotfixName(upgrade);
    version.text = `${version.major} Service Pack ${version.servicePack} hotfix ${version.hotfix}`;
  }
}

/** Hotfixes are named as in §9, `20250605-13`. */
function hotfixName({ file }: Upgrade): string {
  const today = dateText(file.at).slice(0, 10).replaceAll('-', '');
  return /\d{8}-\d{2}/.exec(file.filename)?.[0] ?? `${today}-01`;
}
