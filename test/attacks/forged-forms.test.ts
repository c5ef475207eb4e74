import { expect } from 'vitest';
import { keepBuilder } from '../../src/action/showing/form-buttons.ts';
import { type Conversation, converse } from '../conversation.ts';
import { freePort } from '../free-port.ts';
import { form, sign } from './http-bot.ts';
import { attacks } from './rows.ts';

/** A bot that Slack calls over HTTP, and what Slack signs and hands over for a client that was tampered with. */
async function forging() {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}/slack/events`;
  const served = { appliance: 'hq', roles: { viewer: 'everyone', admin: ['U0DANA0001'] } };
  const house = await converse({
    workspace: {
      requestUrl: address,
      channels: [
        { id: 'C0HELPDESK', name: 'helpdesk' },
        { id: 'C0VAULT001', name: 'vault', isPrivate: true, members: ['U0DANA0001'] },
        { id: 'C0PARTNERS', name: 'partners', isExtShared: true },
      ],
    },
    environment: { SLACK_APP_TOKEN: '', PORT: String(port), HOST: '127.0.0.1' },
    policy: { channels: { C0HELPDESK: served, C0VAULT001: served, C0PARTNERS: served } },
  });
  const hand = async (payload: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const body = `payload=${encodeURIComponent(JSON.stringify({ ...origin, ...payload }))}`;
    const headers = { 'content-type': form, ...sign(house.workspace.signingSecret, body) };
    const answer = await fetch(address, { method: 'POST', body, headers });
    await house.bot.idle();
    const text = await answer.text();
    return text === '' ? undefined : JSON.parse(text);
  };
  return { ...house, hand };
}

const vic = { id: 'U0VIC00001', team_id: 'T0THETEAM1' };
const origin = { team: { id: 'T0THETEAM1' }, api_app_id: 'A0THEAPP01', user: vic, trigger_id: '1.2.3' };

/** A form that holds this. */
const viewOf = (token: string, chosen: Readonly<Record<string, string>>) => ({
  type: 'modal',
  callback_id: 'command_form',
  private_metadata: token,
  state: {
    values: Object.fromEntries(
      Object.entries(chosen).map(([name, value]) => [
        `input:${name}`,
        { [`input:${name}`]: { type: 'external_select', selected_option: { value } } },
      ]),
    ),
  },
});

const search = (token: string, chosen: Readonly<Record<string, string>> = {}) => ({
  type: 'block_suggestion',
  action_id: 'input:command',
  block_id: 'input:command',
  value: 'rdp',
  view: viewOf(token, chosen),
});
const submission = (token: string, chosen: Readonly<Record<string, string>>) => ({
  type: 'view_submission',
  view: viewOf(token, chosen),
});

/** The options that a search returned, group by group. */
function optionsIn(found: unknown): readonly string[] {
  // An answer to Slack has one of these shapes.
  const { options = [], option_groups = [] } = found as Partial<
    Record<'options', readonly { readonly value: string }[]> &
      Record<'option_groups', readonly { readonly options: readonly { readonly value: string }[] }[]>
  >;
  return [...options, ...option_groups.flatMap((group) => group.options)].map(({ value }) => value);
}

/** The token of the form that is open before somebody. */
const tokenOf = ({ workspace }: Conversation, who: string): string =>
  String(workspace.snapshot(who).views.at(-1)?.view.private_metadata);

attacks('the form *Run a command* by a client that was tampered with', [
  {
    attack: 'it is sent with the token of somebody else, who is in a private channel',
    must: 'nothing is found, nothing runs',
    tryIt: async () => {
      const house = await forging();
      const dana = house.person('dana');
      await dana.globalShortcut('Run a command');
      await dana.fill({ Channel: '#vault' });
      await dana.submit();
      const token = tokenOf(house, 'U0DANA0001');
      const asked = house.appliance.requests.length;
      expect(await house.hand(search(token))).toEqual({ options: [] });
      const answer = JSON.stringify(await house.hand(submission(token, { command: 'rdp sessions' })));
      expect(answer).toContain('This form was opened for somebody else. No changes were made.');
      expect(house.appliance.requests.length).toBe(asked);
      expect(house.read('dana', 'vault')).toBe('');
    },
  },
  {
    attack: 'the first step is sent with a command, or searched for one, as though the channel were chosen',
    must: 'the channel is asked for, and no command is named',
    tryIt: async () => {
      const house = await forging();
      await house.person('vic').globalShortcut('Run a command');
      const token = tokenOf(house, vic.id);
      const found = await house.hand(search(token, { channel: 'C0VAULT001' }));
      expect(optionsIn(found)).toEqual(['C0HELPDESK', 'C0PARTNERS']);
      expect(await house.hand(submission(token, { command: 'rdp sessions' }))).toMatchObject({
        response_action: 'errors',
        errors: { 'input:channel': 'This is required.' },
      });
      const both = { channel: 'C0VAULT001', command: 'rdp sessions' };
      expect(await house.hand(submission(token, both))).toMatchObject({
        errors: { 'input:channel': expect.stringContaining('You aren’t a member of this channel.') },
      });
      expect(house.read('dana', 'vault')).toBe('');
    },
  },
  {
    attack: 'the second step is sent with another channel than was chosen',
    must: 'it runs where it was chosen to',
    tryIt: async () => {
      const house = await forging();
      const person = house.person('vic');
      await person.globalShortcut('Run a command');
      await person.fill({ Channel: '#helpdesk' });
      await person.submit();
      const both = { channel: 'C0VAULT001', command: 'rdp sessions' };
      await house.hand(submission(tokenOf(house, vic.id), both));
      expect(house.read('dana', 'vault')).toBe('');
      expect(house.read('vic')).toContain('/appliance rdp sessions');
    },
  },
  {
    attack: 'the second step is sent with a command that the person may not run there',
    must: 'it is refused as the typed line is',
    tryIt: async () => {
      const house = await forging();
      const person = house.person('vic');
      await person.globalShortcut('Run a command');
      await person.fill({ Channel: '#helpdesk' });
      await person.submit();
      await house.hand(submission(tokenOf(house, vic.id), { command: 'acl compile' }));
      expect(await house.bot.journal.recent(1)).toMatchObject([
        { phrase: 'acl compile', channel: 'C0HELPDESK', state: 'refused', outcome: { code: 'role_missing' } },
      ]);
    },
  },
  {
    attack:
      'it is sent, or searched, with a token that was made up, or with the one of the button on App Home',
    must: 'nothing is found, nothing runs',
    tryIt: async () => {
      const house = await forging();
      for (const token of ['home', 'U0VIC00001', 'C0VAULT001', '']) {
        expect(await house.hand(search(token))).toEqual({ options: [] });
        const sent = await house.hand(submission(token, { channel: 'C0VAULT001', command: 'rdp sessions' }));
        expect(sent).toMatchObject({ response_action: 'update', view: { title: { text: 'Not sent' } } });
      }
      expect(house.read('dana', 'vault')).toBe('');
    },
  },
  {
    attack:
      'somebody of another organisation hands over the shortcut, from a channel that is shared with them',
    must: 'they find what anybody may run anywhere, and only there',
    tryIt: async () => {
      const house = await forging();
      const user = { id: 'U0EVE00001', team_id: 'T0THEOTHER' };
      const kept = { person: user.id, channel: user.id };
      const keeping = { journal: house.bot.journal, now: Date.now };
      const token = await keepBuilder(kept, keeping, { step: 'channel' });
      const inVault = await house.hand({ ...submission(token, { channel: 'C0VAULT001' }), user });
      expect(inVault).toMatchObject({ response_action: 'errors' });
      const next = await house.hand({ ...submission(token, { channel: 'C0PARTNERS' }), user });
      const { view } = next as { view: { private_metadata: string } };
      const found = await house.hand({ ...search(view.private_metadata), user, value: '' });
      expect(optionsIn(found).toSorted()).toEqual(['approvals', 'help', 'whoami']);
    },
  },
  {
    attack: 'the button of App Home is pressed as though it stood in a message of a private channel',
    must: 'no form opens',
    tryIt: async () => {
      const house = await forging();
      await house.hand({
        type: 'block_actions',
        container: { type: 'message', message_ts: '1.2', channel_id: 'C0VAULT001' },
        channel: { id: 'C0VAULT001' },
        actions: [{ type: 'button', action_id: 'press:build:home:0', block_id: 'b', value: 'home' }],
      });
      expect(house.workspace.log.calls('views.open')).toEqual([]);
    },
  },
]);
