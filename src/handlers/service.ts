import type { Appliance, AskedAppliance } from '../api/index.ts';
import type { AskingAppliance, OnAppliance } from './context.ts';
import { capital, plainText, say, strong, type Text } from './reply.ts';
import type { Fingerprint, Ran, Verification } from './results.ts';
import { acting } from './wording/acting.ts';
import { duration } from './wording/quantities.ts';
import { readRestart, type ServiceProcess, stateOf, statusBehind } from './wording/service-process.ts';

/**
 * A service of the appliance with a status and a restart.
 *
 * @param noun as it stands inside a sentence: "the FTP server"
 */
export function service(noun: string, processOn: (appliance: AskedAppliance) => Promise<ServiceProcess>) {
  return {
    /** "The FTP server is running for 3 h"; undefined if its status does not tell. */
    headline: (process: ServiceProcess): Text | undefined => {
      const { running, installed, switchedOff, uptime } = process;
      if (installed === false) return say`${capital(noun)} is ${strong('not installed')}`;
      if (running === undefined) return undefined;
      return running
        ? say`${capital(noun)} is ${strong('running')}${uptime === undefined ? '' : ` for ${duration(uptime)}`}`
        : say`${switchedOff ? '' : '⚠ '}${capital(noun)} is ${strong(plainText(stateOf(process)))}`;
    },
    /** Shared by restarting: the command adds its phrase, its preview, and how long it may take. */
    restarting: (order: (appliance: Appliance) => Promise<Ran>) =>
      ({
        effect: 'destructive',
        ...acting('Restart', noun),
        // The uptime before it identifies the run if nothing else does. It grows, so nobody can confirm it.
        run: async ({ appliance }: OnAppliance<unknown>): Promise<Ran> => {
          const { uptime } = await processOn(appliance);
          const { confirmed } = await order(appliance);
          return { confirmed, learned: { uptime: uptime ?? null } };
        },
        verify: async ({ appliance }: AskingAppliance<unknown>, shown: Fingerprint): Promise<Verification> =>
          readRestart(noun, shown, await processOn(appliance)),
        shownWithin: statusBehind,
      }) as const,
  };
}
