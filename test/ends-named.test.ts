import { describe, expect, test } from 'vitest';
import { commands } from '../src/handlers/registry.ts';
import { asThing } from '../src/handlers/temporary/extending.ts';
import { plainText, say, strong } from '../src/handlers/text.ts';
import { withBob } from './with-bob.ts';

const from = Date.UTC(2026, 2, 5, 13, 30);
const unlink = 'rdp policy unlink member contractor.acme from Contractors --for 1h';

/** contractor.acme is removed from Contractors for an hour. */
async function withRemoval() {
  const house = await withBob({ from });
  await house.ask(unlink);
  const ends = async () => (await house.bot.journal.timedChanges()).map(({ endsAt }) => endsAt);
  return { ...house, ends };
}

describe('temporary end, extend and keep', () => {
  test('ask first, so that nobody extends a removal who means an access', async () => {
    const { ask, click, ends } = await withRemoval();
    const before = await ends();
    const said = await ask('extend contractor.acme till 31 mar');
    expect(said).toContain(
      'Extend the removal of member contractor.acme from policy Contractors until 1 Apr 2026 00:00?',
    );
    expect(await ends()).toEqual(before);
    expect(await click('Cancel')).toContain('Canceled');
    expect(await ends()).toEqual(before);
  });

  test.each([
    ['end contractor', 'End the removal of member contractor.acme from policy Contractors now?'],
    ['end all', 'End the removal of member contractor.acme from policy Contractors now?'],
    ['end mine', 'End the removal of member contractor.acme from policy Contractors now?'],
    ['end 1', 'End the removal of member contractor.acme from policy Contractors now?'],
    ['extend 1 by 1h', 'Extend the removal of member contractor.acme from policy Contractors until'],
    ['keep contractor.acme', 'Keep the removal of member contractor.acme from policy Contractors for good?'],
  ])('ask with a card: %s', async (line, asked) => {
    const { ask, ends } = await withRemoval();
    const before = await ends();
    expect(await ask(line)).toContain(asked);
    expect(await ends()).toEqual(before);
  });

  test('act at once below their own card, or with the exact name', async () => {
    const { ask, write, bot, appliance } = await withRemoval();
    const isLinked = () => appliance.state.rdp.policies.get(11)?.links.members.size;
    const linked = isLinked();
    const [action] = await bot.journal.recent();
    expect(await write('@appliance-bot extend by 1h', 'bob', 'helpdesk', action?.card)).toContain(
      'Extended until',
    );
    const { referenceOf } = await import('../src/journal/actions/reference.ts');
    const [row] = await bot.journal.timedChanges();
    expect(await ask(`end ${referenceOf(row?.action ?? '')}`)).toContain('Ended early');
    expect(isLinked()).not.toBe(linked);
  });

  test('are recorded as the change that they make, and as a lookup where nothing came of it', async () => {
    const { ask, click, bot } = await withRemoval();
    await ask('end contractor.acme');
    await click('End now');
    await ask('end contractor.acme');
    const recent = await bot.journal.recent();
    const asked = recent.filter(({ line }) => line === 'end contractor.acme');
    expect(asked.map(({ phrase, effect }) => [phrase?.split(' <')[0]?.split(' [')[0], effect])).toEqual([
      ['temporary end', 'read'],
      ['rdp policy unlink member', 'write'],
    ]);
  });
});

test('every change that can be temporary has a name as a thing', () => {
  const things = commands.flatMap((command) =>
    command.kind === 'change' && command.undo !== undefined ? [command.phrase] : [],
  );
  expect(things.length).toBeGreaterThan(20);
  expect(plainText(asThing(say`Unlinking bob from policy Night`))).toBe(
    'the removal of bob from policy Night',
  );
  expect(plainText(asThing(say`Turning off the download proxy`))).toBe(
    'the turning off of the download proxy',
  );
  expect(plainText(asThing(say`Connecting to the directory by LDAP`))).toBe(
    'the connection to the directory by LDAP',
  );
  const verb = 'Disabling';
  expect(plainText(asThing(say`${verb} ACL object ${strong('google_sni')}`))).toBe(
    'the disabling of ACL object google_sni',
  );
});

describe('a verb that takes any object leaves the objects of other commands alone:', () => {
  test.each([
    ['end all sessions', 'rdp disconnect'],
    ['end session 12', 'rdp disconnect 12'],
    ['end the connection of maria.lopez', 'rdp disconnect'],
  ])('%s', async (line, offered) => {
    const { ask } = await withBob({ from });
    const said = await ask(line);
    expect(said).toContain(offered);
    expect(said).not.toContain('Nothing is temporary');
  });

  test.each([
    ['cancel all sessions', '[rdp disconnect…]'],
    ['cancel session 12', '[rdp disconnect 12]'],
    ['cancel emergency mode', '[emergency disable]'],
  ])('cancel offers the command for things that are not planned: %s', async (line, offered) => {
    const { ask, type } = await withBob({ from });
    const said = await ask(line);
    expect(said).toContain('Nothing was canceled.');
    expect(said).toContain(offered);
    expect(said).not.toContain('None of your requests');
    // People are not offered commands that they may not run.
    expect(await type(`/appliance ${line}`, 'gus')).not.toContain('[rdp');
  });

  test('“cancel my request” means the request for a site', async () => {
    const { ask } = await withBob({ from });
    expect(await ask('cancel my request for shop.example.net')).toContain(
      'You have no open request for shop.example.net, so nothing was withdrawn.',
    );
  });

  test('“cancel” means the card that waits', async () => {
    const { ask } = await withBob({ from });
    await ask('rdp disconnect 12');
    expect(await ask('cancel session 12')).toContain('[Cancel]');
  });

  test.each([
    ['show interfaces', 'network interfaces'],
    ['list databases', 'sql databases'],
    ['show members', 'rdp members'],
  ])('%s', async (line, runs) => {
    const { ask } = await withBob({ from });
    expect(await ask(line)).toContain(`Understood as /appliance ${runs}`);
  });

  test('an unknown name is reported as unknown', async () => {
    const { ask } = await withRemoval();
    expect(await ask('end the shopping category')).toContain(
      'Nothing called the shopping category is temporary',
    );
  });

  test('ending something never offers to start it', async () => {
    const { ask } = await withBob({ from });
    expect(await ask('end the sync')).not.toContain('[mirror sync]');
  });
});
