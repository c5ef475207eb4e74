import { describe, expect, test } from 'vitest';
import { guideFor, ofKind, read, unasked } from '../../../test/commands.ts';
import { areaOf, nameOf } from '../command-name.ts';
import { cleanLine } from '../language/line.ts';
import { commands, match } from '../registry.ts';
import { plainText, type Reply, say } from '../reply.ts';
import { help } from './help.commands.ts';
import { isOf, topics } from './topics.ts';

const situation = { person: 'U0ALICE001', channel: 'C0HELPDESK', now: 0, ...unasked };
const ask = (topic: string, guide = guideFor()): Promise<Reply> | Reply =>
  ofKind('info', help).answer({ ...situation, args: { topic: topic === '' ? [] : topic.split(' ') }, guide });

const everything = guideFor({
  commands: commands.map((command) => ({ command, allowed: true, roles: ['admin'] })),
});

describe('help', () => {
  test('gives each topic one line with two examples, and a button for the whole topic', async () => {
    const lines = read(await ask('', everything)).split('\n');
    expect(lines.slice(0, 3)).toEqual([
      'What you can run here, after /appliance:',
      expect.stringMatching(/^Look up a website: why \S+ or categorize \S+$/),
      'Remote desktop: rdp sessions or rdp disconnect 12',
    ]);
    expect(lines.slice(1, -1).flatMap((line) => /^(\w[^:]*): /.exec(line)?.[1] ?? [])).toEqual(
      topics.map(({ title }) => title),
    );
    expect(lines).toContain('[Remote desktop: help rdp]');
    expect(lines.filter((line) => !line.startsWith('['))).toHaveLength(1 + topics.length + 1);
  });

  test('leaves out a group of which nothing can be run here', async () => {
    const guide = guideFor();
    const noRdp = guide.commands.map((entry) => ({
      ...entry,
      allowed: entry.allowed && !['rdp', 'mfa'].includes(areaOf(entry.command)),
    }));
    expect(read(await ask('', guideFor({ commands: noRdp })))).not.toContain('Remote desktop');
    expect(read(await ask('', guide))).toContain('Remote desktop');
  });

  test('every area of a listed command belongs to one group, and what is shown first exists there', () => {
    const areas = topics.flatMap((topic) => topic.areas);
    expect(areas.toSorted()).toEqual(
      [...new Set(commands.filter((one) => !one.unlisted).map(areaOf))].toSorted(),
    );
    for (const topic of topics) {
      const names = commands.filter((command) => isOf(topic, command)).map(nameOf);
      expect(names).toEqual(expect.arrayContaining([...topic.first]));
    }
  });

  test.each(topics)('shows all of "$title" on a screen, by its word and by its title', async (topic) => {
    for (const guide of [guideFor(), everything]) {
      const text = read(await ask(topic.word, guide));
      expect(text.split('\n').length).toBeLessThan(22);
      expect(
        read(await ask(topic.title.replace('?', ''), guide))
          .split('\n')
          .slice(1),
      ).toEqual(text.split('\n').slice(1));
    }
  });

  test('leads from an area to every command of it, in two steps at most', async () => {
    for (const area of new Set(commands.map(areaOf))) {
      const text = read(await ask(area));
      const others =
        /^Requires another role: (.+)\. \/appliance help/m.exec(text)?.[1]?.split(/, | and /) ?? [];
      const groups = [...text.matchAll(/^\/appliance help (.+) – \d/gm)].map(([, name = '']) => name);
      const further = [...groups, ...others];
      const all = [text, ...(await Promise.all(further.map(async (name) => read(await ask(name)))))].join(
        '\n',
      );
      for (const { phrase } of commands.filter((one) => areaOf(one) === area)) expect(all).toContain(phrase);
    }
  });

  test('tells a large area by what its commands are about', async () => {
    const text = read(await ask('rdp', everything));
    for (const noun of ['members', 'policies', 'sessions', 'targets']) {
      expect(text).toMatch(new RegExp(`^/appliance help rdp ${noun} – \\d+ commands, such as rdp `, 'm'));
    }
    const sessions = read(await ask('rdp sessions'));
    expect(sessions).toContain('rdp disconnect <session>');
    expect(sessions).not.toContain('rdp member');
    expect(read(await ask('rdp members'))).toContain('rdp member create');
  });

  test('says so when no role of the channel may run something', async () => {
    const nobody = guideFor({}, ({ effect }) => (effect === 'read' ? ['viewer'] : []));
    const text = read(await ask('rdp sessions', nobody));
    expect(text).toContain('rdp disconnect <session> is not available in this channel');
    expect(text).not.toMatch(/requires the +role/);
  });

  test('in a channel that is not served tells why, and nothing of other roles', async () => {
    const guide = guideFor({ served: false, roles: [], obstacle: say`This channel is not enabled.` });
    const text = read(await ask('', guide));
    expect(text).toContain('This channel is not enabled.');
    expect(text).toContain('whoami – Show your roles in this channel');
    expect(text).not.toContain('Servers and software');
    expect(text).not.toContain('another role');
  });

  test('explains one command: example, arguments, other phrases, effect, and who may', async () => {
    const [headline, ...lines] = read(await ask('RDP Disconnect')).split('\n');
    expect(headline).toMatch(
      /^\/appliance rdp disconnect <session>.* Disconnect an open remote-desktop session$/,
    );
    expect(lines.join('\n')).toMatch(/^Example: \/appliance rdp disconnect 12\nTakes: .*such as 12/);
    expect(lines).toContain('Effect: shows a preview and asks for confirmation; Undo is not available');
    expect(lines).toContain('Verified: by read-back');
    expect(lines).toContain('Roles: helpdesk or admin');
    expect(lines).toContain('You: cannot run it here');
    expect(lines.at(-1)).toContain('--dry-run only shows what would be sent');
  });

  test('finds commands by a word of their phrase, their aliases or their summary', async () => {
    expect(read(await ask('rdp'))).toContain('About rdp:');
    expect(read(await ask('lookup'))).toContain('categorize');
    expect(read(await ask('web-filtering'))).toContain('categorize');
  });

  test('knows every command by its name', async () => {
    for (const command of commands) {
      const [beginning] = command.phrase.split(/ (?=[<[])/);
      expect(read(await ask(nameOf(command)))).toContain(`/appliance ${beginning}`);
    }
  });

  test.each(['rdp disconnect 12', 'disconnect', 'rdp disconect', 'disconect', 'please rdp disconnect 12'])(
    'leads from "%s" to the command that is meant',
    async (topic) => {
      expect(read(await ask(topic))).toContain('rdp disconnect <session>');
    },
  );

  test('explains a command that is asked for with its arguments, as it would without', async () => {
    expect(await ask('rdp disconnect 12')).toEqual(await ask('rdp disconnect'));
  });

  test('asks whether something like the topic was meant', async () => {
    expect(read(await ask('catogorize'))).toContain('No command matches catogorize. Did you mean:');
  });

  test('asks whether an area was meant, and takes "help me" for the whole', async () => {
    expect(read(await ask('rpd'))).toMatch(/No command matches rpd\. Did you mean:(?:.*\n)+.*rdp sessions/);
    expect(read(await ask('me'))).toContain('What you can run here, after /appliance:');
  });

  test.each(['--help', '-h', '?', 'help', '`help`', '—help'])('is what "%s" is for', async (typed) => {
    expect(match(cleanLine(typed))).toMatchObject({ kind: 'command', command: { phrase: help.phrase } });
  });

  test('is its own example', () => {
    expect(help.example).toBe('help');
  });

  test('says so when nothing is about the topic, and keeps what was typed as it was', async () => {
    const reply = await ask('<!channel> `x`');
    expect(plainText(reply.headline)).toBe(
      'No command matches <!channel> `x`. /appliance help shows where to start.',
    );
    expect(reply.headline).toContainEqual({ kind: 'code', text: '<!channel> `x`' });
  });

  test('says that open commands are for everyone, anywhere', async () => {
    expect(read(await ask('whoami'))).toContain('Roles: everyone, anywhere');
  });
});
