import { endWithParent } from '../../src/process/parent.ts';
import {
  type SimulatedAppliance,
  type SimulatedApplianceSettings,
  startSimulatedAppliance,
} from './index.ts';
import { NotPossible, readSettings, usage } from './settings.ts';

async function open(settings: SimulatedApplianceSettings): Promise<SimulatedAppliance> {
  try {
    return await startSimulatedAppliance(settings);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && 'port' in error)) throw error;
    if (error.code === 'EADDRINUSE')
      throw new NotPossible(`Port ${error.port} is taken; --help shows how to choose another.`);
    if (error.code === 'EACCES')
      throw new NotPossible(`Port ${error.port} is not for everybody; one from 1024 on is.`);
    throw error;
  }
}

function introduction(
  { url, urls, catalogue }: SimulatedAppliance,
  { key, generation }: SimulatedApplianceSettings,
): string {
  // A key that was typed here need not be shown again.
  const header = key === undefined ? '' : ` -H 'X-Auth-Token: KEY'`;
  const everywhere = generation === 'field-strict' ? header : '';
  return `
  Simulated appliance:  ${url}    ${catalogue.length} operations, everything answers here

    Web API             ${urls.web}
    Directory API       ${urls.directory}
    Mirror service      ${urls.mirror}
    Mirror console      ${urls.mirrorConsole}

  Try:
    curl${everywhere} ${url}/categories/query/example.com
    curl -X POST${header} ${url}/rdpproxy/sessions/12/disconnect
    curl ${url}/api/status

  Make it misbehave (how, and what else there is: ${url}/_simulator):
    curl -X PUT ${url}/_simulator/faults -d '{"operation":"GET /categories/list","kind":"slow","ms":5000}'
    curl -X DELETE ${url}/_simulator/faults

  Ctrl+C ends it. Nothing leaves this machine.
`;
}

endWithParent(process.env);
try {
  const settings = readSettings(process.argv.slice(2));
  if (settings === 'help') process.stdout.write(usage);
  else {
    const appliance = await open(settings);
    process.stdout.write(introduction(appliance, settings));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void appliance.stop());
  }
} catch (error) {
  if (!(error instanceof NotPossible)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
