import { describe, expect, test } from 'vitest';
import { guideFor, ofKind, read, unasked } from '../../../test/commands.ts';
import { areaOf, nameOf } from '../command-name.ts';
import { lookup } from '../declare.ts';
import { cleanLine } from '../language/line.ts';
import { commands, match } from '../registry.ts';
import { plainText, type Reply, say } from '../reply.ts';
import { help } from './help.commands.ts';

const situation = { person: 'U0ALICE001', channel: 'C0HELPDESK', now: 0, ...unasked };
const ask = (topic: string, guide = guideFor()): Promise<Reply> | Reply =>
  ofKind('info', help).answer({ ...situation, args: { topic: topic === '' ? [] : topic.split(' ') }, guide });

describe('help', () => {
  test('lists what can be run here, and what takes another role', async () => {
    const text = read(await ask(''));
    expect(text).toMatch(/^\/appliance categorize <domain>…/m);
    expect(text).toMatch(/^\/appliance help rdp – \d+ commands, such as rdp /m);
    expect(text.split('With another role:')[1]).toMatch(/^\/appliance help acl – \d+ commands/m);
  });

  test('names every area, and in it every command that there is', async () => {
    const text = read(await ask(''));
    for (const command of commands) {
      const area = areaOf(command);
      expect(text).toContain(area);
      expect(read(await ask(area))).toContain(command.phrase);
    }
  });

  test('says so when no role of the channel may run something', async () => {
    const nobody = guideFor({}, ({ effect }) => (effect === 'read' ? ['viewer'] : []));
    const text = read(await ask('rdp', nobody));
    expect(text).toContain('rdp disconnect <session> is for nobody in this channel');
    expect(text).not.toMatch(/takes $/m);
  });

  test('in a channel that is not served tells why, and nothing of other roles', async () => {
    const guide = guideFor({ served: false, roles: [], obstacle: say`This channel is not in my policy.` });
    const text = read(await ask('', guide));
    expect(text).toContain('This channel is not in my policy.');
    expect(text).not.toContain('With another role');
  });

  test('explains one command: example, arguments, other phrases, effect, and who may', async () => {
    const [headline, ...lines] = read(await ask('RDP Disconnect')).split('\n');
    expect(headline).toMatch(
      /^\/appliance rdp disconnect <session>.* Disconnect an open remote-desktop session$/,
    );
    expect(lines.join('\n')).toMatch(/^Example: \/appliance rdp disconnect 12\nTakes: .*such as 12/);
    expect(lines).toContain('Effect: cannot be taken back; shows what it will hit and asks before it acts');
    expect(lines).toContain('Checked: reads it back and says whether it happened');
    expect(lines).toContain('Who may: helpdesk or admin');
    expect(lines).toContain('You: may not run it here');
    expect(lines.at(-1)).toContain('--dry-run only shows what would be sent');
  });

  test('finds commands by a word of their phrase, their aliases or their summary', async () => {
    expect(read(await ask('rdp'))).toContain('About rdp:');
    expect(read(await ask('lookup'))).toContain('categorize');
    expect(read(await ask('web-filtering'))).toContain('categorize');
  });

  test('knows every command by its name', async () => {
    for (const name of commands.map(nameOf)) expect(read(await ask(name))).toContain(`/appliance ${name}`);
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
    expect(read(await ask('catogorize'))).toContain('I have no command about catogorize. Did you mean:');
  });

  test('asks whether an area was meant, and takes "help me" for the whole', async () => {
    expect(read(await ask('rpd'))).toMatch(
      /I have no command about rpd\. Did you mean:(?:.*\n)+.*rdp sessions/,
    );
    expect(read(await ask('me'))).toContain('What you can run here:');
  });

  test.each(['--help', '-h', '?', 'help', '`help`', '—help'])('is what "%s" is for', async (typed) => {
    expect(match(cleanLine(typed))).toMatchObject({ kind: 'command', command: { phrase: help.phrase } });
  });

  test('is what "hello" is answered with', async () => {
    expect(match('hello')).toMatchObject({ kind: 'command', understoodAs: 'help' });
    expect(help.example).toBe('help');
  });

  describe('with very many commands', () => {
    const many = Array.from({ length: 120 }, (_, index) =>
      lookup({
        phrase: `area${index % 6} show${index}`,
        args: {},
        summary: `Show number ${index}`,
        example: `area${index % 6} show${index}`,
        answer: async () => ({ headline: [] }),
      }),
    );
    const guideOf = (allowed: boolean) =>
      guideFor({ commands: many.map((one) => ({ command: one, allowed, roles: ['admin'] })) });

    test('tells the areas, how many are in each, and an example', async () => {
      const text = read(await ask('', guideOf(true)));
      expect(text).toContain('/appliance help area3 – 20 commands, such as area3 show3');
      expect(text.split('\n')).toHaveLength(1 + 6 + 1);
    });

    test('tells the areas of what takes another role', async () => {
      const text = read(await ask('', guideOf(false)));
      expect(text).toContain('With another role:\n/appliance help area0 – 20 commands');
      expect(text.split('\n')).toHaveLength(1 + 1 + 6 + 1);
    });

    test('lists an area in full', async () => {
      const text = read(await ask('area3', guideOf(true)));
      for (const { phrase } of many.filter((one) => areaOf(one) === 'area3')) expect(text).toContain(phrase);
      expect(text).not.toContain('area4');
    });
  });

  test('says so when nothing is about the topic, and keeps what was typed as it was', async () => {
    const reply = await ask('<!channel> `x`');
    expect(plainText(reply.headline)).toBe(
      'I have no command about <!channel> `x`. /appliance help lists them all.',
    );
    expect(reply.headline).toContainEqual({ kind: 'code', text: '<!channel> `x`' });
  });

  test('says that open commands are for everyone, anywhere', async () => {
    expect(read(await ask('whoami'))).toContain('Who may: everyone, anywhere');
  });
});
