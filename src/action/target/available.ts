import { type Appliance, type ApplianceFailure, isApplianceFailure } from '../../api/index.ts';
import { compile } from '../../handlers/applied.ts';
import type { AnyChange } from '../../handlers/command.ts';
import { type AskingAppliance, FileFailure } from '../../handlers/context.ts';
import type { Fingerprint } from '../../handlers/results.ts';

/**
 * Whether the appliance's release lacks what a change would order, found out before anybody is asked: the change, and the
 * compile that it requires, come as far as their first call, of which only the release is looked at. Nothing is sent for it
 * but the question for the release. What a change would call after that is not known here.
 */
export async function lackedBy(
  command: AnyChange,
  context: AskingAppliance<never>,
  appliance: Appliance,
  fingerprint: Fingerprint,
): Promise<ApplianceFailure | undefined> {
  const probe = appliance.probe();
  const noFile = () => Promise.reject(new FileFailure('not_found', 'It is not opened to look.'));
  const acting = {
    ...context,
    appliance: probe,
    files: { open: noFile, digest: noFile },
    progress: () => undefined,
    trouble: () => undefined,
    giveWay: async () => undefined,
    extend: async () => true,
    keep: async () => true,
    confirmOver: async () => true,
  };
  const trials: readonly (() => Promise<unknown>)[] = [
    async () => command.run(acting, fingerprint),
    ...(command.requires?.(context.args) ?? []).map((what) => () => compile(probe, what)),
  ];
  for (const trial of trials) {
    const ended = await trial().catch((error: unknown) => error);
    // Every other end says nothing about the release, and shows when it is really called.
    if (isApplianceFailure(ended) && ended.code === 'not_available') return ended;
  }
  return undefined;
}
