import { describe, expect, test } from 'vitest';
import { stampIn } from '../src/bot/delivery/stamps.ts';
import { createLog } from '../src/telemetry/log.ts';
import { type Conversation, converse } from './conversation.ts';

const helpdesk = 'C0HELPDESK';
const [alice, bob, gus, eve] = ['U0ALICE001', 'U0BOB00001', 'U0GUS00001', 'U0EVE00001'];

/** What @bob has changed, by its name. */
async function changed(house: Conversation, line = 'acl object disable 3'): Promise<string> {
  await house.type(`/appliance ${line}`, 'bob');
  return newest(house);
}

async function newest(house: Conversation): Promise<string> {
  const said = await house.type('/appliance audit', 'bob');
  return [...said.matchAll(/A-[0-9A-Z]{8}/g)].at(-1)?.[0] ?? '';
}

/** Shows it to everyone, as @alice. */
async function share(house: Conversation, action: string) {
  await house.type(`/appliance show ${action}`);
  await house.press('Show it to everyone here');
  return message(house);
}

const message = ({ workspace }: Conversation) => {
  const found = workspace.snapshot(bob).messages.findLast(({ text }) => text.includes('/appliance share'));
  if (found === undefined) throw new Error('Nothing was shared');
  return found;
};

async function open(house: Conversation, action: string, as = alice, press?: string) {
  const { ts } = message(house);
  const at = { as, channel: helpdesk, ts, entity: action };
  const acted = await house.workspace.act({ act: 'open_entity', ...at, ...(press && { press }) });
  await house.bot.idle();
  return { acted, details: house.workspace.snapshot(as).details[action] };
}

/** Slack tells that somebody has opened something, which may never have been shown to them. What the bot answers. */
async function claimed(house: Conversation, event: Readonly<Record<string, unknown>>) {
  const { workspace, bot } = house;
  const before = workspace.log.calls('entity.presentDetails').length;
  await workspace.emit({
    type: 'entity_details_requested',
    trigger_id: `1.2.${before}`,
    user: alice,
    user_locale: 'en-US',
    entity_url: 'https://example.com/',
    link: { url: 'https://example.com/', domain: 'example.com' },
    channel: helpdesk,
    message_ts: '1.000001',
    event_ts: '1.000001',
    ...event,
  });
  await bot.idle();
  const [answer, ...more] = workspace.log.calls('entity.presentDetails').slice(before);
  expect(more).toEqual([]);
  const { metadata, error } = answer?.args ?? {};
  return { metadata, error: error === undefined ? undefined : JSON.parse(String(error)) };
}

const sent = ({ workspace }: Conversation) =>
  workspace.log
    .calls('chat.postMessage')
    .flatMap(({ args }) => (args.metadata === undefined ? [] : [JSON.parse(String(args.metadata))]));

describe('an action that is shared', () => {
  test('is one message that says it in two lines, can be opened, and is found again by its mark', async () => {
    const house = await converse();
    const action = await changed(house);
    const shared = await share(house, action);
    expect(house.read('bob')).toContain(
      `${action}: ✅ ACL object google_sni disabled\n  \`acl object disable 3\` on hq · asked by @bob, today`,
    );
    expect(shared.entities).toMatchObject([
      {
        id: action,
        title: 'acl object disable 3',
        fields: { status: 'Done', created_by: `<@${bob}>`, On: 'hq' },
      },
    ]);
    const noted = sent(house).find(({ entities }) => entities !== undefined);
    expect(stampIn(noted)).toMatchObject({ action: expect.any(String), key: expect.any(String) });
    expect(noted.entities).toHaveLength(1);
    // It leads to its card, the only address that there is.
    const card = house.workspace
      .snapshot(bob)
      .messages.find(({ text }) => text.includes('google_sni disabled'));
    expect(noted.entities[0].url).toContain(`/archives/${helpdesk}/p${card?.ts.replace('.', '')}`);
  });

  test('tells other apps nothing that its message does not say', async () => {
    const house = await converse();
    const action = await changed(house);
    const { text } = await share(house, action);
    const { entity_payload } = sent(house).find(({ entities }) => entities !== undefined).entities[0];
    // What came of it, and what the appliance said, is only for who opens it.
    expect(JSON.stringify(entity_payload)).not.toContain('google_sni');
    const { attributes, fields, custom_fields } = entity_payload;
    for (const said of [
      attributes.title.text,
      attributes.display_id,
      ...custom_fields.map(({ value }: { value: string }) => value),
    ])
      expect(text).toContain(said);
    expect(text).toContain(fields.created_by.user.user_id);
  });

  test('shows whoever opens it how it stands now, and what it was verified by', async () => {
    const house = await converse();
    await house.type('/appliance rdp disconnect 12', 'bob');
    const action = await newest(house);
    const { entities } = await share(house, action);
    expect(entities?.[0]?.fields).toMatchObject({ status: 'Waiting' });
    await house.press('Disconnect', 'bob');
    const { details } = await open(house, action);
    expect(details).toMatchObject({
      state: 'shown',
      entity: {
        fields: {
          status: 'Done',
          description: expect.stringContaining('disconnected'),
          Evidence: expect.stringContaining('Verified.'),
        },
      },
    });
    expect(house.workspace.snapshot(bob).details).toEqual({});
    // Looking at it leaves its message as it is, is one action in the journal, and is said nowhere else.
    expect(house.read()).toContain('waits for confirmation');
    expect(await house.type('/appliance audit', 'dana')).toContain(`@alice  show ${action}`);
  });

  test('is undone there by the click that undoes it on its card, once', async () => {
    const house = await converse();
    const action = await changed(house);
    await share(house, action);
    const { details } = await open(house, action, bob);
    const [undo, ...more] = details?.state === 'shown' ? (details.entity.buttons ?? []) : [];
    expect([undo?.text, more]).toEqual(['Undo', []]);
    // Whoever may not run it is shown the same button, and is told so at the click.
    await open(house, action);
    expect((await open(house, action, alice, undo?.action_id)).acted.ok).toBe(true);
    expect(house.read()).toContain('requires the operator or admin role');
    expect(house.appliance.state.acl.objects.get(3)?.enabled).toBe(false);
    await open(house, action, bob, undo?.action_id);
    expect(house.appliance.state.acl.objects.get(3)?.enabled).toBe(true);
    expect(house.read('bob')).not.toContain('[Undo]\n  @bob  ·  `/appliance acl object disable 3`');
    const again = await open(house, action, bob);
    expect(JSON.stringify(again.details)).not.toContain('Undo');
  });

  test('can be opened in a direct message, by the rules of its own channel', async () => {
    const house = await converse();
    const action = await changed(house);
    await house.write(`share ${action}`, 'bob', 'appliance-bot');
    const { id } = house.workspace.direct(bob);
    const shared = house.workspace.snapshot(bob).messages.findLast(({ channel }) => channel === id);
    expect(shared?.entities).toHaveLength(1);
    const ts = shared?.ts ?? '';
    await house.workspace.act({ act: 'open_entity', as: bob, channel: id, ts, entity: action });
    await house.bot.idle();
    expect(house.workspace.snapshot(bob).details[action]).toMatchObject({ state: 'shown' });
  });

  test('is posted without what opens it where Slack takes none, which is tried once and logged once', async () => {
    const lines: string[] = [];
    const log = createLog('warn', { write: (line: string) => void lines.push(line) });
    const house = await converse({ world: { log } });
    const action = await changed(house);
    house.workspace.faults.next('chat.postMessage', { kind: 'error', error: 'invalid_metadata_schema' });
    expect((await share(house, action)).entities).toBeUndefined();
    expect(house.read('bob')).toContain('Asked by  @bob');
    await share(house, action);
    expect(sent(house).filter(({ entities }) => entities !== undefined)).toHaveLength(1);
    expect(lines.filter((line) => line.includes('Work Objects'))).toHaveLength(1);
  });
});

describe('what is claimed to be opened', () => {
  const ref = (id: string) => ({ external_ref: { id } });

  test('is refused in a sentence to a guest, to another organization, and to who is not in the channel', async () => {
    const roles = { viewer: 'everyone', operator: ['S0OPERATOR'] };
    const house = await converse({
      policy: { channels: { [helpdesk]: { name: 'helpdesk', appliance: 'hq', roles } } },
    });
    const action = await changed(house);
    for (const [user, why] of [
      [gus, /guest/i],
      [eve, /Slack|organization|member/],
    ] as const) {
      const { metadata, error } = await claimed(house, { user, ...ref(action) });
      expect(metadata, user).toBeUndefined();
      expect(error).toMatchObject({ status: 'custom', custom_message: expect.stringMatching(why) });
      expect(JSON.stringify(error)).not.toContain('google_sni');
    }
    await house.workspace.act({ act: 'remove', as: alice, channel: helpdesk, user: alice });
    const outside = await claimed(house, ref(action));
    expect(outside.metadata).toBeUndefined();
    expect(outside.error.custom_message).toContain('aren’t a member'.replace('’', "'"));
  });

  test('names nothing but one action of that channel', async () => {
    const house = await converse();
    const action = await changed(house);
    const before = house.appliance.requests.length;
    const elsewhere = await claimed(house, { ...ref(action), channel: 'C0INCIDENT', user: bob });
    expect(elsewhere.metadata).toBeUndefined();
    for (const id of [
      '',
      'A-00000000',
      `${action} --on all`,
      'version',
      'A-\nrestart',
      '<!channel>',
      'x'.repeat(9_000),
    ]) {
      const { metadata, error } = await claimed(house, { ...ref(id), user: bob });
      expect(metadata, id).toBeUndefined();
      expect(error, id).toMatchObject({ status: 'custom', custom_message: expect.stringMatching(/./) });
      expect(error.custom_message).not.toContain('<!');
    }
    expect((await claimed(house, { user: bob })).error).toMatchObject({ status: 'custom' });
    const nowhere = await claimed(house, { ...ref(action), channel: undefined, user: bob });
    expect(nowhere.metadata).toBeUndefined();
    expect(house.appliance.requests.slice(before)).toEqual([]);
  });

  test('counts in a direct message for the channel that it was asked in', async () => {
    const roles = { operator: ['S0OPERATOR'] };
    const channels = {
      [helpdesk]: { name: 'helpdesk', appliance: 'hq', roles },
      C0INCIDENT: { name: 'incident', appliance: 'hq', roles },
    };
    const house = await converse({ policy: { channels } });
    for (const channel of ['helpdesk', 'incident']) {
      await house.type('/appliance rdp sessions', 'bob', channel);
      const said = await house.type('/appliance audit', 'bob', channel);
      const [action = ''] = /A-[0-9A-Z]{8}/.exec(said) ?? [];
      const direct = { user: bob, channel: house.workspace.direct(bob).id };
      expect((await claimed(house, { ...direct, ...ref(action) })).metadata, channel).toContain(action);
    }
  });

  test('asks nobody for approval', async () => {
    const approvals = [{ commands: [{ phrase: 'show' }], by: 'admin' }];
    const house = await converse({ policy: { approvals } });
    const action = await changed(house);
    const seen = house.read('bob');
    const { error } = await claimed(house, ref(action));
    expect(error.custom_message).toContain(`type /appliance show ${action}`);
    expect(house.read('bob')).toBe(seen);
  });

  test('is answered once, however often Slack delivers it', async () => {
    const house = await converse();
    const action = await changed(house);
    await share(house, action);
    house.workspace.faults.next('delivery', { kind: 'twice' });
    await open(house, action);
    const isTaken = () => house.workspace.log.envelopes().every(({ ackedAt }) => ackedAt !== undefined);
    await expect.poll(isTaken).toBe(true);
    await house.bot.idle();
    expect(house.workspace.log.calls('entity.presentDetails')).toHaveLength(1);
  });
});

test('what an appliance calls its things mentions nobody and leads nowhere where an action is opened', async () => {
  const house = await converse();
  const object = house.appliance.state.acl.objects.get(3);
  if (object === undefined) throw new Error('There is no ACL object 3');
  Object.assign(object, { name: '<!channel> *now* <https://evil.example|Approve> @everyone' });
  const action = await changed(house);
  await share(house, action);
  await open(house, action);
  const [posted] = sent(house).filter(({ entities }) => entities !== undefined);
  const [opened] = house.workspace.log.calls('entity.presentDetails');
  expect(String(opened?.args.metadata)).toContain('‹!channel›');
  for (const said of [JSON.stringify(posted.entities), String(opened?.args.metadata)]) {
    expect(said).not.toMatch(/<[!@h]|\*now\*/);
  }
});
