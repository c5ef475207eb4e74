import { personIn } from '/work/main/sandbox/person.ts';
import { startSandbox } from '/work/main/sandbox/sandbox.ts';
import { transcript } from '/work/main/sandbox/workspace/transcript.ts';

const s = await startSandbox({ branches: 1 });
let who = 'bob';
let channel = 'helpdesk';
const seen = new Set<string>();
for (const line of process.argv.slice(2)) {
  if (line.startsWith('@')) {
    who = line.slice(1);
    continue;
  }
  if (line.startsWith('#')) {
    channel = line.slice(1);
    continue;
  }
  const p = personIn(s.workspace, { idle: () => s.bot.answered() }, who);
  try {
    if (line.startsWith('[')) await p.press(channel, line.slice(1, -1));
    else if (line.startsWith('{')) {
      await p.fill(JSON.parse(line));
      await p.submit();
    } else await p.type(channel, '/appliance ' + line);
  } catch (e) {
    console.log(String(e));
  }
  await s.bot.answered();
  seen.add(who);
  if (process.env.EACH) {
    const me = s.workspace.people.find((p) => p.name === who)!;
    console.log(`=== after @${who}: ${line}\n` + transcript(s.workspace.snapshot(me.id), channel));
  }
}
await s.bot.idle();
for (const name of process.env.EACH ? [] : seen) {
  const me = s.workspace.people.find((p) => p.name === name)!;
  console.log(`=== as ${name}`);
  console.log(transcript(s.workspace.snapshot(me.id), channel));
}
await s.stop();
