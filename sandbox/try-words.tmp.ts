// @ts-nocheck
import { personIn } from './person.ts';
import { type SandboxOptions, startSandbox } from './sandbox.ts';
import { transcript } from './workspace/transcript.ts';
import { createLog } from '../src/log.ts';

const minute = 60_000;
if (process.argv[2] === 'page') {
  const { pageAssets } = await import('./workspace/page/bundle.ts');
  const { chromium } = await import('playwright-core');
  const roles = { viewer: 'everyone', helpdesk: ['S0HELPDESK'], operator: ['S0OPERATOR'], approver: ['S0APPROVER', ...Array.from({ length: 9 }, (_, i) => `U0MORE000${i}`)], admin: ['S0ADMINS01'] };
  const h = await converse({ branches: 19, workspace: { page: pageAssets() }, policy: { channels: { C0HELPDESK: { name: 'helpdesk', appliance: 'hq', appliances: 'all', roles } }, approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: ['approver', 'admin'], count: 2, reason: { pattern: '.', example: 'INC-4711' } }] } });
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage({ viewport: { width: 1200, height: 1000 } });
  await page.goto(h.workspace.url);
  const shot = async (name: string, as = 'alice') => { try { await page.waitForTimeout(600); await page.screenshot({ path: `/tmp/words-${name}.png` }); } catch (e) { console.log(e); } };
  await h.type(`rdp disconnect 12 --on all --reason "${'INC-4711 it hangs and nobody can work '.repeat(13)}"`);
  await h.press('Approve', 'carol');
  await shot('twenty');
  await h.press('Approve', 'dana');
  await shot('twenty-done');
  await h.type('rdp disconnect 15 --reason INC-1');
  await shot('card');
  await h.type('emergency enable --for 30m --reason "directory down"');
  await shot('refusal');
  await h.type('emergency enable --for 30m --reason "directory down"', 'bob'); await h.press('Approve', 'carol'); await shot('on');
  await h.press('End now', 'bob'); await shot('over');
  console.log(await page.title(), page.url());
  await browser.close(); await h.sandbox.stop(); process.exit(0);
}
const only = process.argv[2];
let number = 0;

export async function converse(options: SandboxOptions = {}) {
  let ahead = 0;
  let look = () => {};
  const sandbox = await startSandbox({
    ...options,
    world: {
      now: () => Date.now() + ahead,
      sleep: async (ms) => { ahead += ms; },
      every: (ms, callback) => { look = callback; const t = setInterval(callback, ms); return () => clearInterval(t); },
      log: createLog('silent'),
    },
  });
  const { workspace, appliance } = sandbox;
  const person = (name: string) => personIn(workspace, { idle: () => sandbox.bot.idle() }, name);
  const last = new Map<string, string>();
  const read = (by: string, channel: string) => {
    const { id } = workspace.people.find(({ name }) => name === by) ?? { id: by };
    return transcript(workspace.snapshot(id), channel === 'dm' ? 'appliance-bot' : channel);
  };
  const fresh = (by: string, channel: string) => {
    const key = `${by} ${channel}`;
    const now = read(by, channel);
    const before = last.get(key) ?? '';
    last.set(key, now);
    const old = new Set(before.split('\n\n').flatMap((p) => p.split('\n')));
    return now.split('\n').filter((line) => !old.has(line) && line.trim() !== '').join('\n');
  };
  const say = (title: string, text: string) => console.log(`  » ${title}\n${text.replace(/^/gm, '      ')}`);
  return {
    sandbox, workspace, appliance: appliance!, person,
    type: async (line: string, by = 'alice', channel = 'helpdesk') => {
      const full = /^[/@<]/.test(line) ? line : `/appliance ${line}`;
      const acted = await person(by).type(channel === 'dm' ? 'appliance-bot' : channel, full);
      say(`${by} in ${channel} types: ${full}${acted.ok ? '' : `  [${JSON.stringify(acted)}]`}`, fresh(by, channel));
    },
    press: async (label: string, by = 'alice', channel = 'helpdesk') => {
      try {
        const acted = await person(by).press(channel === 'dm' ? 'appliance-bot' : channel, label);
        say(`${by} presses [${label}] in ${channel}${acted.ok ? '' : `  [${JSON.stringify(acted)}]`}`, channel === 'home' ? '' : fresh(by, channel));
      } catch (error) { say(`${by} presses [${label}]: ${error}`, ''); }
      const form = person(by).form();
      if (form) say(`${by} sees a form`, JSON.stringify(form, null, 1));
    },
    submit: async (values: any, by = 'alice', channel = 'helpdesk') => {
      try { await person(by).fill(values); } catch (e) { say(String(e), ''); }
      const acted = await person(by).submit();
      const form = person(by).form();
      say(`${by} submits ${JSON.stringify(values)} ${acted.ok ? '' : JSON.stringify(acted)}${form ? ` errors ${JSON.stringify(form.errors)}` : ''}`, fresh(by, channel));
    },
    show: (by = 'alice', channel = 'helpdesk', title = '') => say(`${title} ${by} reads ${channel}`, fresh(by, channel)),
    whole: (by = 'alice', channel = 'helpdesk') => say(`whole ${channel} for ${by}`, read(by, channel)),
    home: async (by: string) => { const h = (workspace.snapshot(workspace.people.find((p) => p.name === by)!.id) as any).home; say(`home of ${by}`, JSON.stringify(h?.blocks ?? h, null, 1)); },
    wait: (ms: number) => { ahead += ms; },
    pass: async (ms: number) => { ahead += ms; look(); await new Promise((r) => setTimeout(r, 30)); await sandbox.bot.idle(); },
  };
}
type House = Awaited<ReturnType<typeof converse>>;

const roles = { viewer: 'everyone', helpdesk: ['S0HELPDESK'], operator: ['S0OPERATOR'], approver: ['S0APPROVER'], admin: ['S0ADMINS01'] };
const under = (policy: any = {}, channel: any = {}): SandboxOptions => ({
  policy: { channels: { C0HELPDESK: { name: 'helpdesk', appliance: 'hq', roles, ...channel }, C0INCIDENT: { name: 'incident', appliance: 'hq', roles } }, ...policy },
});
const needing = (rule: any) => under({ approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: 'approver', ...rule }] });
async function scene(title: string, options: SandboxOptions, play: (h: House) => Promise<void>) {
  number += 1;
  if (only && !only.split(',').includes(String(number)) && !title.includes(only)) return;
  console.log(`\n━━━ ${number}. ${title}`);
  let h: House | undefined;
  try { h = await converse(options); await play(h); } catch (error) { console.log('!!!', error); } finally { await h?.sandbox.stop(); }
}
const enable = 'emergency enable --for 30m --reason "directory down"';

await scene('channel not served', {}, async (h) => {
  await h.type('rdp sessions', 'bob', 'random');
  await h.type('rdp disconnect 12', 'vic', 'random');
  await h.type('nonsense words', 'vic', 'random');
  await h.type('help', 'vic', 'random');
  await h.type('whoami', 'vic', 'random');
  await h.type('who can rdp disconnect', 'vic', 'random');
  await h.type('rdp sessions', 'bob', 'dm');
  await h.type('whoami', 'bob', 'dm');
  await h.type('help', 'bob', 'dm');
});
await scene('guest', {}, async (h) => {
  await h.type('rdp sessions', 'gus'); await h.type('rdp disconnect 12', 'gus'); await h.type('whoami', 'gus'); await h.type('help', 'gus');
});
await scene('other organisation in partners', under({ channels: { C0PARTNERS: { name: 'partners', appliance: 'hq', roles }, C0HELPDESK: { appliance: 'hq', roles } } }), async (h) => {
  await h.type('rdp sessions', 'eve', 'partners');
  await h.type('rdp sessions', 'bob', 'partners');
  await h.type('rdp disconnect 12', 'bob', 'partners');
  await h.type('rdp disconnect 12', 'vic', 'partners');
  await h.type('whoami', 'bob', 'partners');
  await h.type('help rdp disconnect', 'bob', 'partners');
  await h.type('who can rdp disconnect', 'bob', 'partners');
  await h.type('can @bob rdp disconnect 12', 'bob', 'partners');
  await h.type('can @eve rdp sessions', 'bob', 'partners');
  await h.type('@appliance-bot rdp sessions', 'eve', 'partners');
});
await scene('eve clicks in a shared channel', under({ channels: { C0PARTNERS: { name: 'partners', appliance: 'hq', roles, shared: 'write' }, C0HELPDESK: { appliance: 'hq', roles } } }), async (h) => {
  await h.type('rdp disconnect 12', 'vic', 'partners');
  await h.press('Ask for approval', 'vic', 'partners');
  await h.press('Approve', 'eve', 'partners');
  await h.press('Deny…', 'eve', 'partners');
  await h.press('Withdraw', 'eve', 'partners');
  h.show('eve', 'partners');
});
await scene('role missing, ask for approval, approve', {}, async (h) => {
  await h.type('rdp disconnect 12', 'vic');
  await h.press('Ask for approval', 'vic');
  await h.press('Approve', 'vic');
  await h.press('Deny…', 'vic');
  await h.press('Approve', 'carol');
  await h.press('Deny…', 'carol');
  await h.press('Withdraw', 'bob');
  await h.press('Approve', 'gus');
  await h.press('Approve', 'bob');
  h.whole('vic');
  h.show('bob', 'dm', 'DM'); h.show('vic', 'dm', 'DM');
  await h.press('Ask for approval', 'vic');
});
await scene('approve with a dm to approvers?', {}, async (h) => {
  await h.type('vlan delete 10', 'vic');
  await h.press('Ask for approval', 'vic');
  for (const p of ['bob', 'carol', 'dana']) h.show(p, 'dm', 'DM');
  await h.press('Approve', 'bob');
});
await scene('nobody could run it', under({}, { roles: { viewer: 'everyone' } }), async (h) => {
  await h.type('rdp disconnect 12');
  await h.type('who can rdp disconnect');
  await h.type('help rdp disconnect');
  await h.type('can @alice rdp disconnect 12');
  await h.type(enable);
});
await scene('no role at all', under({}, { roles: { operator: ['U0BOB00001'] } }), async (h) => {
  await h.type('rdp sessions'); await h.press('Ask for approval'); await h.press('Approve', 'bob'); h.whole();
  await h.type('whoami'); await h.type('help'); 
  await h.type('rdp sessions'); await h.press('Ask for approval'); await h.press('Withdraw');
  await h.type('status'); await h.press('Ask for approval'); h.wait(61 * minute); await h.pass(1); h.show();
});
await scene('lookup denied/failed appliance', under({}, { roles: { operator: ['U0BOB00001'] } }), async (h) => {
  await h.type('rdp sessions'); await h.press('Ask for approval');
  h.appliance.faults.set('GET /rdpproxy/sessions', { kind: 'status', status: 500 } as any);
  await h.press('Approve', 'bob'); h.whole();
});
await scene('lookup failed (users.info)', {}, async (h) => {
  for (let i = 0; i < 9; i += 1) h.workspace.faults.next('users.info', { kind: 'error', error: 'internal_error' } as any);
  await h.type('rdp sessions', 'bob');
});
await scene('argument limits', under({ roles: { 'news-editor': { summary: 'keeps category 252', commands: [{ phrase: 'category add', where: { category: [252, 253] } }, { phrase: 'category delete', where: { category: [252] } }] } } }, { roles: { ...roles, helpdesk: [], 'news-editor': ['U0ALICE001'] } }), async (h) => {
  await h.type('category add new-press.example to 252');
  await h.type('category add new-press.example to 23');
  await h.press('Ask for approval');
  await h.press('Approve', 'bob');
  await h.type('who can category add x.example to 23');
  await h.type('can @alice category add x.example to 23');
  await h.type('can @alice category add x.example to 252');
  await h.type('help category add');
});
await scene('two people', under({ approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: ['approver', 'operator'], count: 2, open: '10m' }] }), async (h) => {
  await h.type('rdp disconnect 12');
  await h.press('Approve', 'alice'); await h.press('Approve', 'carol'); await h.press('Approve', 'carol'); h.show('alice');
  await h.press('Approve', 'vic'); await h.press('Approve', 'dana'); await h.press('Approve', 'bob'); h.whole('alice');
  await h.type('who can rdp disconnect'); await h.type('can @alice rdp disconnect 12'); await h.type('help rdp disconnect');
});
await scene('second account', under({ approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: 'approver', count: 2 }] }, { roles: { ...roles, helpdesk: ['U0CARLA001', 'S0HELPDESK'], approver: ['U0CAROL001', 'U0CARLA001'] } }), async (h) => {
  await h.type('rdp disconnect 12', 'carla'); await h.press('Approve', 'carla'); await h.press('Approve', 'carol'); await h.press('Deny…', 'carol'); await h.press('Withdraw', 'carol'); await h.press('Withdraw', 'carla');
  await h.type('rdp disconnect 12', 'alice'); await h.press('Approve', 'carol'); await h.press('Approve', 'carla');
});
await scene('requester may', under({ approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: 'helpdesk', requester: true, count: 1 }] }), async (h) => {
  await h.type('rdp disconnect 12'); await h.press('Approve'); h.whole();
});
await scene('deny with a reason', needing({}), async (h) => {
  await h.type('rdp disconnect 12'); await h.press('Deny…', 'carol'); await h.submit({}, 'carol'); await h.submit({ Reason: 'not before the change window' }, 'carol'); h.show(); h.show('alice', 'dm', 'DM');
  h.whole();
});
await scene('own deny', needing({}), async (h) => {
  await h.type('rdp disconnect 12'); await h.press('Deny…'); await h.press('Withdraw', 'carol'); await h.press('Withdraw'); h.whole();
});
await scene('deny after it ran', needing({}), async (h) => {
  await h.type('rdp disconnect 12'); await h.press('Deny…', 'carol'); await h.press('Withdraw');
  await h.submit({ Reason: 'no' }, 'carol');
});
await scene('deny form while approved', needing({ by: ['approver', 'admin'] }), async (h) => {
  await h.type('rdp disconnect 12'); await h.press('Deny…', 'carol'); await h.press('Approve', 'dana');
  await h.submit({ Reason: 'no' }, 'carol');
});
await scene('expiry', needing({ open: '10m' }), async (h) => {
  await h.type('rdp disconnect 12'); h.wait(11 * minute); await h.press('Approve', 'carol'); h.show();
  await h.type('rdp disconnect 12'); await h.pass(11 * minute); h.show();
});
await scene('expiry of deny form', needing({ open: '10m' }), async (h) => {
  await h.type('rdp disconnect 12'); await h.press('Deny…', 'carol'); await h.pass(11 * minute); await h.submit({ Reason: 'no' }, 'carol');
});
await scene('changed preview', under({ approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: ['approver', 'admin'], count: 2 }] }), async (h) => {
  await h.type('rdp disconnect 12'); await h.press('Approve', 'carol');
  const s = h.appliance.state.rdp.sessions.get(12)!; h.appliance.state.rdp.sessions.set(12, { ...s, username: 'carla.jones' });
  await h.press('Approve', 'dana'); h.show('alice');
  await h.press('Approve', 'carol'); h.appliance.state.rdp.sessions.delete(12); await h.press('Approve', 'dana'); h.show('alice');
});
await scene('appliance out of reach at approval', needing({}), async (h) => {
  await h.type('rdp disconnect 12');
  for (const p of ['GET /rdpproxy/sessions']) { try { h.appliance.faults.set(p as any, { kind: 'status', status: 503 } as any); } catch {} }
  await h.press('Approve', 'carol'); h.show('alice');
});
await scene('reason patterns', needing({ reason: { pattern: '^INC-[0-9]+', example: 'INC-4711' } }), async (h) => {
  await h.type('rdp disconnect 12'); await h.type('rdp disconnect 12 --reason stuck'); await h.type('rdp disconnect 12 --reason "INC-7 hangs"'); 
  await h.type('rdp disconnect 12', 'vic'); await h.press('Ask for approval', 'vic');
  await h.type('rdp disconnect 12 --reason "INC-7"', 'vic'); await h.press('Ask for approval', 'vic');
  await h.type('help rdp disconnect'); await h.type('who can rdp disconnect'); await h.type('can @alice rdp disconnect');
  await h.type('rdp disconnect 12 --reason');
});
await scene('any reason', needing({ reason: true }), async (h) => {
  await h.type('rdp disconnect 12'); await h.type('rdp disconnect 12 --reason ""'); await h.type('rdp disconnect 12 --reason "."'); await h.type('rdp disconnect 12 --reason stuck');
});
await scene('reason without pattern sample', needing({ reason: { pattern: '^INC-[0-9]+', example: 'INC-4711' } }), async (h) => {
  await h.type('rdp disconnect');
  await h.press('Disconnect'); const f = h.person('alice').form(); console.log(JSON.stringify(f, null, 1));
});
await scene('hours', needing({ not_possible: ['00:00-24:00'] }), async (h) => { await h.type('rdp disconnect 12'); await h.type('who can rdp disconnect'); await h.type('can @alice rdp disconnect'); await h.type('help rdp disconnect'); });
await scene('hours week', { policy: { ...needing({ not_possible: ['Mon-Sun 00:00-23:59', '22:00-06:00'] }).policy, time_zone: 'Europe/Berlin' } }, async (h) => { await h.type('rdp disconnect 12'); });
await scene('not needed', needing({ not_needed: ['00:00-24:00'] }), async (h) => { await h.type('rdp disconnect 12'); await h.type('who can rdp disconnect'); await h.type('help rdp disconnect'); });
await scene('requesters', needing({ requesters: ['helpdesk'] }), async (h) => { await h.type('who can rdp disconnect'); await h.type('can @alice rdp disconnect 12'); await h.type('can @bob rdp disconnect 12'); await h.type('help rdp disconnect', 'bob'); await h.type('help rdp disconnect', 'alice'); });
await scene('no approver here', under({ channels: { C0HELPDESK: { appliance: 'hq', roles: { operator: 'everyone' } }, C0INCIDENT: { appliance: 'hq', roles } } }), async (h) => { await h.type(enable); await h.type('who can emergency enable'); await h.type('help emergency enable'); });
await scene('no approver anywhere', under({ channels: { C0HELPDESK: { appliance: 'hq', roles: { operator: 'everyone' } } } }), async (h) => { await h.type(enable); });
await scene('break glass off', {}, async (h) => { await h.type(`${enable} --break-glass`, 'bob'); });
await scene('break glass', { policy: { ...under().policy, emergency: { break_glass: 'admin', longest: '2h' } } }, async (h) => {
  await h.type(`${enable} --break-glass`, 'bob'); await h.type(`${enable} --break-glass`, 'vic');
  await h.type(`${enable} --break-glass`, 'dana'); await h.press('Enable emergency mode', 'dana'); h.whole('dana'); h.show('carol', 'dm', 'DM'); h.show('bob', 'dm', 'DM');
  await h.type('who can emergency enable --break-glass', 'dana');
  await h.type('who can emergency enable', 'dana');
  await h.type('can @dana emergency enable --for 10m --reason x --break-glass', 'dana');
  await h.pass(31 * minute); h.whole('dana');
});
await scene('emergency story', {}, async (h) => {
  await h.type('emergency status', 'vic'); await h.type('emergency enable', 'bob'); await h.type('emergency enable --for 30m', 'bob');
  await h.type('emergency enable --for 5h --reason "x y"', 'bob'); await h.type('emergency enable --for 0m --reason "x y"', 'bob'); await h.type('emergency enable --for soon --reason "x y"', 'bob');
  await h.type(enable, 'alice'); await h.type(enable, 'carol');
  await h.type(enable, 'bob'); await h.press('Approve', 'bob'); await h.press('Approve', 'carol'); h.whole('bob'); h.show('carol', 'dm', 'DM');
  await h.type('emergency status', 'vic'); await h.type('status', 'vic'); await h.type(enable, 'bob');
  await h.press('Extend', 'bob');
});
await scene('emergency extend', {}, async (h) => {
  await h.type(enable, 'bob'); await h.press('Approve', 'carol'); h.wait(10 * minute);
  await h.type('emergency extend --for 20m --reason "still down"', 'bob'); await h.press('Approve', 'carol'); h.whole('bob');
  await h.pass(36 * minute); h.show('bob'); 
  await h.type('vlan list', 'dana'); await h.type('acl object disable google_sni', 'dana');
  await h.pass(6 * minute); h.whole('bob');
  await h.type('emergency extend --for 20m --reason "still down"', 'bob');
  await h.type('emergency disable', 'bob'); await h.type('emergency confirm over --reason x', 'bob');
});
await scene('emergency extend too long', {}, async (h) => {
  await h.type(enable, 'bob'); await h.press('Approve', 'carol');
  await h.type('emergency extend --for 4h --reason "still down"', 'bob');
  await h.press('Extend', 'bob'); await h.submit({}, 'bob');
});
await scene('emergency end now', {}, async (h) => {
  await h.type(enable, 'bob'); await h.press('Approve', 'carol'); await h.press('End now', 'vic'); await h.press('Extend', 'vic'); await h.press('End now', 'dana'); h.whole('bob');
});
await scene('failing revert', {}, async (h) => {
  await h.type(enable, 'bob'); await h.press('Approve', 'carol'); h.appliance.faults.set('- /emergency_disable', { kind: 'forget' } as any);
  await h.pass(30 * minute); h.whole('bob'); h.show('carol', 'dm', 'DM'); h.show('bob', 'dm', 'DM');
  await h.type('emergency status', 'vic');
  await h.type('emergency confirm over --reason seen', 'bob');
  await h.pass(2 * minute); h.show('bob');
  for (let i = 0; i < 130; i += 1) await h.pass(minute);
  h.show('carol', 'dm', 'DM');
  h.appliance.faults.clear(); await h.pass(61 * minute); h.whole('bob'); h.show('carol', 'dm', 'DM');
});
await scene('failing revert, unreachable', {}, async (h) => {
  await h.type(enable, 'bob'); await h.press('Approve', 'carol');
  for (const p of ['- /emergency_disable', '- /status', '- /proxy/auth/status']) h.appliance.faults.set(p as any, { kind: 'status', status: 503 } as any);
  await h.pass(30 * minute); h.show('bob'); await h.type('emergency status', 'bob'); await h.type('emergency disable', 'bob'); h.show('bob');
});
await scene('confirm over', {}, async (h) => {
  h.appliance.turn({ directoryConnection: 'broken' }); h.appliance.faults.set('- /emergency_enable', { kind: 'forget' } as any);
  await h.type(enable, 'bob'); await h.press('Approve', 'carol'); h.whole('bob');
  await h.type('emergency confirm over --reason seen', 'bob'); await h.pass(30 * minute); h.whole('bob');
  await h.press('I have seen that it is over', 'dana'); 
  await h.submit({ [h.person('dana').form()?.fields[0]?.label ?? '']: 'looked at the web console' }, 'dana'); h.whole('bob'); h.show('carol', 'dm');
});
await scene('global', {}, async (h) => {
  h.appliance.state.directory.globalEmergency = true;
  await h.type('emergency status', 'vic'); await h.type('status', 'vic'); await h.type(enable, 'bob'); await h.type('emergency disable', 'bob'); await h.type('emergency remove', 'bob'); await h.press('Leave Global Emergency', 'bob'); h.whole('bob');
  await h.type('emergency remove', 'bob'); await h.type('emergency remove', 'vic');
});
await scene('global during own', {}, async (h) => {
  await h.type(enable, 'bob'); await h.press('Approve', 'carol'); h.appliance.state.directory.globalEmergency = true; h.appliance.faults.set('- /emergency_disable', { kind: 'forget', times: 1 } as any);
  await h.type('emergency status', 'vic'); await h.pass(30 * minute); h.show('bob'); await h.press('Leave Global Emergency on hq', 'bob'); await h.press('Leave Global Emergency', 'bob'); h.whole('bob');
});
await scene('elsewhere', {}, async (h) => {
  h.appliance.turn({ proxyMode: 'emergency' }); await h.type('emergency status', 'vic'); await h.type('status', 'vic'); await h.type(enable, 'bob'); await h.type('emergency extend --for 10m --reason "x y"', 'bob'); await h.type('emergency disable', 'bob'); h.whole('bob');
});
await scene('ended elsewhere', {}, async (h) => {
  await h.type(enable, 'bob'); await h.press('Approve', 'carol'); h.appliance.turn({ proxyMode: 'normal' }); await h.type('emergency status', 'vic'); await h.type(enable, 'bob'); await h.pass(25 * minute); h.whole('bob');
});
await scene('two appliances', { branches: 1 }, async (h) => {
  await h.type(`${enable} --on all`, 'bob'); await h.press('Approve', 'carol'); h.whole('bob'); await h.type('emergency status --on all', 'bob'); await h.pass(25 * minute); await h.pass(5 * minute); h.whole('bob');
});
await scene('enable fails / unknown', {}, async (h) => {
  h.appliance.faults.set('- /emergency_enable', { kind: 'status', status: 403 } as any); await h.type(enable, 'bob'); await h.press('Approve', 'carol'); h.whole('bob');
  h.appliance.faults.clear(); h.appliance.faults.set('- /emergency_enable', { kind: 'reset' } as any);
  await h.type(enable, 'bob'); h.appliance.faults.set('- /status', { kind: 'status', status: 500 } as any); h.appliance.faults.set('- /proxy/auth/status', { kind: 'status', status: 500 } as any); await h.press('Approve', 'carol'); h.show('bob');
});
await scene('down at the end', {}, async (h) => {
  await h.type(enable, 'bob'); await h.press('Approve', 'carol'); await h.sandbox.restart(async () => h.wait(45 * minute)); await h.sandbox.bot.idle(); h.whole('bob');
});
await scene('petition for emergency by vic', {}, async (h) => {
  await h.type(enable, 'vic'); await h.press('Ask for approval', 'vic'); await h.press('Approve', 'bob'); await h.press('Approve', 'carol'); h.whole('vic'); await h.pass(31 * minute); h.whole('vic');
});
await scene('petition by carol (approver): bob lends, who approves?', {}, async (h) => {
  await h.type(enable, 'carol'); await h.press('Ask for approval', 'carol'); await h.press('Approve', 'bob'); await h.press('Approve', 'carol'); h.show('carol');
});
await scene('rights', {}, async (h) => {
  for (const l of ['who can', 'who can rdp disconnect', 'who can emergency enable --for 30m', 'who can help', 'who can nonsense', 'who can whoami', 'who can rdp', 'can', 'can @bob', 'can @bob emergency enable', 'can bob rdp sessions', 'can @vic rdp disconnect 12', 'can @gus rdp sessions', 'can @carla rdp sessions', 'can @vic help', 'can @vic status', 'can me status', 'can i rdp disconnect', 'can alice rdp sessions', 'who can sql user add', 'whoami', 'who may rdp disconnect'])
    await h.type(l, 'alice');
  for (const p of ['bob', 'carol', 'dana', 'vic']) await h.type('whoami', p);
});
await scene('help of commands', {}, async (h) => {
  for (const l of ['help emergency enable', 'help emergency extend', 'help emergency', 'help emergency disable', 'help emergency confirm over', 'help emergency remove', 'help rdp disconnect', 'help who can', 'help can', 'help whoami', 'help rdp sessions'])
    await h.type(l, 'bob');
  await h.type('help', 'vic'); await h.type('help', 'carol');
});
await scene('home', { policy: { ...under().policy, holders: { admin: ['U0DANA0001'] } } }, async (h) => {
  const ws = h.workspace as any;
  for (const p of ['vic', 'gus', 'dana']) { await ws.act({ act: 'open_home', as: ws.people.find((x: any) => x.name === p).id }); await h.sandbox.bot.idle(); await h.home(p); }
});
await scene('role lost meanwhile', needing({}), async (h) => {
  await h.type('rdp disconnect 12'); await h.workspace.changeUserGroup('S0HELPDESK', { users: [] }); await h.press('Approve', 'carol'); h.show('alice');
});
await scene('approver role lost', under({ approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: ['approver', 'admin'], count: 2 }] }), async (h) => {
  await h.type('rdp disconnect 12'); await h.press('Approve', 'carol'); await h.workspace.changeUserGroup('S0APPROVER', { users: [] }); await h.press('Approve', 'dana'); h.whole('alice');
});
await scene('already', needing({ by: ['approver', 'admin'] }), async (h) => {
  await h.type('rdp disconnect 12'); await Promise.all([h.press('Approve', 'carol'), h.press('Approve', 'dana')]);
});
await scene('several appliances with approval', { branches: 2, policy: needing({}).policy && { channels: { C0HELPDESK: { appliance: 'hq', appliances: 'all', roles } }, approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: 'approver' }] } }, async (h) => {
  await h.type('rdp disconnect 12 --on all'); await h.press('Approve', 'carol'); h.whole();
});
await scene('form of a command that needs approval', needing({ reason: { pattern: '^INC-[0-9]+', example: 'INC-4711' } }), async (h) => {
  await h.type('rdp disconnect'); const f = h.person('alice').form(); console.log(JSON.stringify(f, null, 1));
  await h.submit({ [f?.fields[0]?.label ?? '']: '12' }); 
});
await scene('dry run', needing({ reason: true }), async (h) => {
  await h.type('rdp disconnect 12 --dry-run'); await h.type('rdp disconnect 12 --dry-run --reason x'); await h.type('rdp disconnect 12 --dry-run', 'vic'); await h.press('Ask for approval', 'vic');
});
await scene('write that needs approval + undo', under({ approvals: [{ commands: [{ area: 'acl', effect: 'write' }], by: 'approver' }] }), async (h) => {
  await h.type('acl object disable google_sni', 'bob'); await h.press('Approve', 'carol'); h.whole('bob'); await h.press('Undo', 'bob'); h.whole('bob');
});
await scene('undo by somebody without a role', {}, async (h) => {
  await h.type('acl object disable google_sni', 'bob'); await h.press('Undo', 'vic'); h.show('vic'); await h.press('Ask for approval', 'vic'); await h.press('Approve', 'carol'); await h.press('Approve', 'dana'); h.whole('vic');
});
await scene('secret and file commands refused', {}, async (h) => {
  await h.type('sql user add reports', 'vic'); await h.type('sql user add reports', 'bob'); await h.type('upgrade upload', 'vic');
});
await scene('channel only', under({ holders: { operator: ['U0ALICE001'] } }, { only: ['viewer', 'helpdesk'] }), async (h) => {
  await h.type('acl object disable google_sni', 'bob'); await h.type('acl object disable google_sni', 'alice'); await h.type('whoami', 'bob'); await h.type('who can acl object disable');
});
await scene('target not allowed', { branches: 1, ...under() }, async (h) => { await h.type('rdp disconnect 12 --on branch-2', 'bob'); await h.type('rdp disconnect 12 --on nowhere', 'vic'); });
await scene('everyone approver', under({ approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: 'viewer' }] }), async (h) => { await h.type('rdp disconnect 12'); await h.press('Approve', 'gus'); await h.press('Approve', 'vic'); h.whole(); await h.type('who can rdp disconnect'); });
await scene('many approvers', under({ approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: ['viewer', 'helpdesk', 'operator', 'approver', 'admin'], count: 3, reason: true }] }, { roles: { viewer: ['U0VIC00001', 'U0GUS00001', 'U0CARLA001'], helpdesk: ['S0HELPDESK'], operator: ['S0OPERATOR'], approver: ['S0APPROVER'], admin: ['S0ADMINS01'] } }), async (h) => { await h.type(`rdp disconnect 12 --reason "${'because it hangs '.repeat(28)}"`); h.whole(); for (const p of ['bob', 'carol', 'gus']) await h.press('Approve', p); h.whole(); await h.type('who can rdp disconnect'); });
await scene('emergency disable needing approval', under({ approvals: [{ commands: [{ area: 'emergency' }], by: 'approver' }] }), async (h) => { await h.type(enable, 'bob'); await h.press('Approve', 'carol'); await h.press('End now', 'bob'); h.show('bob'); await h.press('Approve', 'carol'); h.whole('bob'); });
await scene('long reason', {}, async (h) => { await h.type(`emergency enable --for 30m --reason "${'the directory is down and nobody can work '.repeat(12)}"`, 'bob'); await h.press('Approve', 'carol'); h.whole('bob'); await h.press('End now', 'bob'); h.whole('bob'); });
await scene('bot not in channel', {}, async (h) => { await h.type('rdp disconnect 12', 'vic', 'random'); });
await scene('eve in helpdesk mention', under({ channels: { C0PARTNERS: { name: 'partners', appliance: 'hq', roles: { ...roles, viewer: ['everyone', 'U0EVE00001'] } } } }), async (h) => { await h.type('@appliance-bot rdp sessions', 'eve', 'partners'); await h.type('@appliance-bot rdp disconnect 12', 'eve', 'partners'); h.whole('eve', 'partners'); });

await scene('shared channel, no role: nothing to ask for', under({ channels: { C0PARTNERS: { name: 'partners', appliance: 'hq', roles }, C0HELPDESK: { appliance: 'hq', roles } } }), async (h) => {
  await h.type('rdp disconnect 12', 'vic', 'partners'); await h.type('who can rdp disconnect', 'vic', 'partners'); await h.type('help rdp disconnect', 'vic', 'partners'); await h.type('whoami', 'vic', 'partners');
  await h.type('<@U0APPLIANC> rdp sessions', 'eve', 'partners'); await h.type('<@U0APPLIANC> rdp disconnect 12', 'eve', 'partners');
});
await scene('policy reloads', {}, async (h) => {
  const { readFileSync, writeFileSync, renameSync } = await import('node:fs'); const { dirname, join } = await import('node:path');
  const file = join(dirname(h.sandbox.data), 'appliance-bot.yml'); const first = readFileSync(file, 'utf8');
  const save = async (text: string) => { writeFileSync(`${file}.new`, text); renameSync(`${file}.new`, file); h.sandbox.bot.reload(); await h.sandbox.bot.idle(); };
  await save(first.replace('operator:', 'operater:').replace('name: helpdesk', 'nmae: helpdesk')); h.show('dana', 'dm', 'DM');
  await save(first); h.show('dana', 'dm', 'DM');
  await save(`${first}approvals:\n  - { commands: [{ phrase: rdp disconnect }], by: approver, count: 2, not_needed: ["Sat,Sun"], reason: { pattern: "^INC", example: INC-1 } }\n`); h.show('dana', 'dm', 'DM');
  await save(first.replace('- S0OPERATOR', '- U0ALICE001')); h.show('dana', 'dm', 'DM');
  await save(`${first}emergency: { longest: 2h, break_glass: admin }\ntime_zone: Europe/Berlin\nholders: { admin: [U0BOB00001] }\n`); h.show('dana', 'dm', 'DM');
});
await scene('form with reason', needing({ reason: { pattern: '^INC-[0-9]+', example: 'INC-4711' } }), async (h) => {
  await h.type('rdp disconnect'); console.log(JSON.stringify(h.person('alice').form(), null, 1));
  await h.submit({ 'Open session': '12', Reason: 'stuck' }); await h.submit({ Reason: 'INC-5 stuck' });
  await h.press('Deny…', 'carol');
});
process.exit(0);
