import { expect, test } from 'vitest';
import { blockPageTool } from '../cli/block-page.ts';

const file = 'appliance-bot.example.yml';
const environment = {
  APPLIANCE_BOT_CONFIG: file,
  BLOCK_PAGE_URL: 'http://ask.example.com:8080',
  BLOCK_PAGE_SECRET: '0123456789abcdef0123456789abcdef',
};

function run(words: readonly string[], settings: Readonly<Record<string, string>> = environment) {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  return {
    code: blockPageTool(words, { environment: settings, write, complain: write, now: () => 0 }),
    text,
  };
}

test('the tool prints the link of an appliance, and the lines for its template, with the variables at their end', () => {
  const { code, text } = run(['hq']);
  expect(code).toBe(0);
  expect(text).toMatch(/http:\/\/ask\.example\.com:8080\/ask\?link=[\w-]+\.[\w-]{24}&user=%a&url=%H\n/);
  expect(text).toMatch(/href="[^"<>]+&amp;user=%a&amp;url=%H" target="_blank"/);
  expect(text).not.toContain(environment.BLOCK_PAGE_SECRET);
});

test('the tool says what is missing or wrong, and makes no link', () => {
  for (const [words, settings, says, exit = 1] of [
    [[], environment, 'Missing appliance', 2],
    [['hq', 'branch'], environment, 'Too many arguments', 2],
    [['nosuch'], environment, `${file} has no appliance nosuch. It has hq, branch.`],
    [
      ['branch'],
      environment,
      'self_service is for hq, but not for branch. Add branch to self_service.appliances.',
    ],
    [['hq', '--config', 'no-such.yml'], environment, 'no-such.yml'],
    [['hq'], { ...environment, APPLIANCE_BOT_CONFIG: '' }, 'Missing policy file', 2],
    [['No Such'], environment, 'is not a valid appliance name', 2],
    [['--x'], environment, "Unknown option '--x'", 2],
    [['hq'], { APPLIANCE_BOT_CONFIG: file }, 'BLOCK_PAGE_URL is not set'],
    [['hq'], { ...environment, BLOCK_PAGE_SECRET: 'short' }, 'BLOCK_PAGE_SECRET is too short'],
  ] as const) {
    const { code, text } = run(words, settings);
    expect([code, text.includes(says), text.includes('link=')], text).toEqual([exit, true, false]);
  }
  expect(run(['--help']).code).toBe(0);
});
