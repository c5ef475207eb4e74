import {
  type SimulatedAppliance,
  type SimulatedApplianceSettings,
  startSimulatedAppliance,
} from './appliance/index.ts';

/**
 * Starts simulated appliances of branches beside the headquarters: `branch-2`, `branch-3` and so on. Each is a release
 * behind, with other people, so that its sessions differ visibly. A branch that its own page resets becomes like the
 * headquarters.
 */
export async function startBranches(
  count: number,
  options: SimulatedApplianceSettings,
): Promise<ReadonlyMap<string, SimulatedAppliance>> {
  const names = Array.from({ length: count }, (_, index) => `branch-${index + 2}`);
  return new Map(
    await Promise.all(
      names.map(async (name) => {
        const branch = await startSimulatedAppliance(options);
        settle(branch);
        return [name, branch] as const;
      }),
    ),
  );
}

/** Two sessions of its own, of which one has the number of a session at the headquarters. */
function settle({ state: { directory, rdp } }: SimulatedAppliance): void {
  directory.version.servicePack = '4';
  directory.version.text = '4.50 Service Pack 4';
  const [first, second] = rdp.sessions.values();
  rdp.sessions.clear();
  if (first === undefined || second === undefined) return;
  const open = (id: number, username: string, target: string, session: typeof first) =>
    rdp.sessions.set(id, { ...session, id, username, target, client_ip: `10.40.6.${id}` });
  open(5, 'nadia.rossi', 'srv-till-01', first);
  open(12, 'jonas.weber', 'srv-files-03', second);
}
