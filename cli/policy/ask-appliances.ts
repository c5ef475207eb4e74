import { applianceFailure } from '../../src/action/wording/appliance-failures.ts';
import { type Appliance, type ApplianceSettings, connectAppliance } from '../../src/api/index.ts';
import { NotConnected } from '../../src/dial.ts';
import { plainText } from '../../src/handlers/reply.ts';
import { type ReadResult, settle } from '../../src/handlers/wording/answer.ts';

/** One question for each of an appliance's doors, small and harmless: whether it opens tells the key and the networks. */
const doors: Readonly<Record<string, (appliance: Appliance) => Promise<unknown>>> = {
  'Web API': ({ software }) => software.list(),
  'Remote desktop': ({ rdp }) => rdp.state(),
  'Directory API': ({ directory }) => directory.applianceVersion(),
  Mirror: ({ mirror }) => mirror.health(),
  'Mirror console': ({ mirror }) => mirror.eventStats(),
};

/** Asks each appliance at each of its doors whether it serves the bot, and tells the cure where it does not. */
export async function askAppliances(
  all: readonly ApplianceSettings[],
): Promise<{ readonly text: string; readonly areWell: boolean }> {
  const asked = await Promise.all(all.map(askOne));
  return {
    text: asked.map(({ name, answers }) => `${name}\n${answers.map(lineOf).join('')}`).join(''),
    areWell: asked.every(({ answers }) => answers.every(([, answer]) => answer.answered)),
  };
}

type Answer = readonly [door: string, ReadResult<unknown>, appliance: string];

async function askOne(settings: ApplianceSettings) {
  const appliance = connectAppliance(settings);
  try {
    const answers = await Promise.all(
      Object.entries(doors).map(
        async ([door, ask]): Promise<Answer> => [door, await settle(ask(appliance)), settings.name],
      ),
    );
    // An appliance without an address cannot be asked.
    return {
      name: settings.name,
      answers: answers.filter(([, one]) => one.answered || one.failure.code !== 'not_configured'),
    };
  } finally {
    await appliance.close();
  }
}

function lineOf([door, answer, appliance]: Answer): string {
  if (answer.answered) return `  ✓ ${door}: answers\n`;
  const { failure } = answer;
  const tried = failure.cause instanceof NotConnected ? ` ${failure.cause.message}.` : '';
  const cure =
    failure.code === 'unreachable' && failure.obstacle === undefined
      ? ' Check its address in the policy file, whether it runs, and the firewall in between.'
      : '';
  return `  ✗ ${door}: ${plainText(applianceFailure(appliance, failure))}${tried}${cure}\n`;
}
