import { clientTypes } from './client-types.ts';
import { simulatedApplianceTypes } from './simulated-appliance-types.ts';
import { workspacePage } from './workspace-page.ts';

/** A folder in `packages/` to build, beside the exports of its `src/index.ts`. */
export interface PackageToBuild {
  /** Files of `dist` that its `bin` loads, by their names there, each with the file that it begins with. */
  readonly programs: Readonly<Record<string, string>>;
  /** Import names of its dependencies, where they differ from the packages' names. */
  readonly paths?: Readonly<Record<string, string>>;
  /** The text of `dist/index.d.ts`. Default: the compiler's declarations of the exports. */
  readonly types?: () => string;
  /** Other files in `dist`, by their path there. */
  readonly files?: () => Promise<Readonly<Record<string, Buffer | string>>>;
}

/** By their names, which are those of their folders. */
export const packages = {
  'appliance-client': {
    programs: { 'command-line': 'src/cli/main.ts' },
    // Bun has an `undici` of its own, in which there is little of it.
    paths: { undici: 'undici/index.js' },
    types: clientTypes,
  },
  'simulated-appliance': {
    programs: { 'command-line': '../../sandbox/appliance/command-line.ts' },
    types: simulatedApplianceTypes,
  },
  'workspace-for-slack-apps': {
    programs: { 'command-line': 'src/command-line.ts' },
    files: workspacePage,
  },
} as const satisfies Readonly<Record<string, PackageToBuild>>;

export type PackageName = keyof typeof packages;

export const isPackageName = (name: string): name is PackageName => Object.hasOwn(packages, name);
