import { describe, expect, test } from 'vitest';
import { connectAppliance } from '../../src/api/index.ts';
import { type Conversation, converse } from '../conversation.ts';
import { converseInTime, hotfixFile, send } from '../packages.ts';

/** The appliance reports this release, word for word. */
function tells({ appliance }: Pick<Conversation, 'appliance'>, version: object): void {
  const text = JSON.stringify({ status: true, ...version });
  appliance.faults.set('- /appliance_version', { kind: 'text', text });
}

const servicePack206 = {
  major: '4.30',
  version: 'Appliance version 4.30.000000 Service Pack 206',
  service_pack: '206',
  hotfix: 0,
};

describe('the release', () => {
  test.each<[told: object, name: string]>([
    [servicePack206, '4.30.000000 Service Pack 206'],
    [{ ...servicePack206, hotfix: '2021092801' }, '4.30.000000 Service Pack 206 hotfix 20210928-01'],
    [
      { ...servicePack206, version: 'Appliance version 4.30.000000 Service Pack ', service_pack: '' },
      '4.30.000000',
    ],
    [{ major: '4.30', service_pack: '', hotfix: '2021092801' }, '4.30 hotfix 20210928-01'],
  ])('is reported with its hotfix, and with no missing parts: %j', async (told, name) => {
    const conversation = await converse();
    tells(conversation, told);
    expect(await conversation.type('/appliance appliance version')).toContain(`hq runs ${name}\n`);
    expect(await conversation.type('/appliance upgrade status')).toContain(`hq runs ${name}\n`);
    expect(await conversation.type('/appliance status')).toMatch(new RegExp(`${name}(?:\\n|,)`));
  });

  test('has the operations of its reported hotfix', async () => {
    const conversation = await converse();
    const { appliance, type } = conversation;
    tells(conversation, { major: '4.50', version: '4.50 Service Pack 4', service_pack: '4' });
    await type('/appliance upgrade status');
    expect(await type('/appliance category list')).toContain(
      'hq runs release 4.50 SP4, which cannot do this',
    );
    tells(conversation, {
      major: '4.50',
      version: 'Appliance version 4.50.000000 Service Pack 4',
      service_pack: '4',
      hotfix: '2025060513',
    });
    // A status that somebody reads teaches the bot the release, too.
    await type('/appliance upgrade status');
    expect(await type('/appliance category list')).toMatch(/\d+ categories/);
    expect(appliance.requests.map(({ path }) => path)).toContain('/categories/list');
  });
});

test.each([
  [0, false],
  ['', false],
  ['2025052412', false],
  ['2025052512', true],
  [2025052512, true],
  ['20250525-12', true],
  // An unreadable hotfix does not prove that the feature is missing.
  ['seventh', undefined],
])('the hotfix %j decides whether 4.50 SP4 can find ACL records: %s', async (hotfix, can) => {
  const conversation = await converse();
  tells(conversation, { major: '4.50', version: 'Appliance version 4.50.000000 Service Pack 4', hotfix });
  const { web, directory } = conversation.appliance.urls;
  const appliance = connectAppliance({ name: 'lab', url: web, directoryUrl: directory });
  expect(await appliance.supports('acl.findRecords')).toBe(can);
  await appliance.close();
});

test('an installed hotfix is seen as soon as the appliance reports it, and not watched for half an hour', async () => {
  let waited = 0;
  const conversation = await converseInTime((_, milliseconds) => {
    waited += milliseconds;
  });
  conversation.appliance.turn({ generation: 'field-v1' });
  await send(conversation, hotfixFile);
  expect(await conversation.press('Hotfix', 'dana')).toContain('Release before  4.50.000000 Service Pack 5');
  const said = await conversation.press('Upload', 'dana');
  expect(said).toContain('Hotfix hotfix-20261120-01.tgz installed');
  expect(said).toContain('Verified. hq now runs 4.50.000000 Service Pack 5 hotfix 20261120-01');
  expect(waited).toBeLessThan(120_000);
});

test('the bot asks for the release when it connects, and nobody waits for a missing answer', async () => {
  const conversation = await converse();
  const { appliance, type } = conversation;
  const asked = () => appliance.requests.filter(({ path }) => path === '/appliance_version');
  appliance.faults.set('- /appliance_version', { kind: 'hang' });
  await conversation.restart();
  await expect.poll(asked).toHaveLength(1);
  // The client's own timeout ends the question.
  await conversation.bot.idle();
  await expect.poll(asked).toMatchObject([{ outcome: 'broken' }]);
  expect(await type('/appliance category list')).toMatch(/\d+ categories/);
  expect(asked()).toHaveLength(1);
});
