import { describe, expect, test } from 'vitest';
import * as files from '../commands.ts';
import { sayingsIn } from '../understanding/sayings.ts';
import { isAboutApproving } from './approving.ts';
import { approvals } from './conversation.commands.ts';

const answers = `
  approve / Approve! / approved / yes / yep / ok / OK. / okay then / sure / go ahead / go for it / lgtm / LGTM 🚀 / +1 / 👍 / 👍🏽 / :+1: /
  :thumbsup::skin-tone-3: / ✅ / :white_check_mark: / ship it / looks good / looks good to me / sounds good / fine by me / do it / please do it / proceed /
  confirm / confirmed / I confirm / i agree / agreed / accept it / no / nope / no thanks / deny / denied / deny it / deny this request / reject / reject it /
  decline / declined / veto / 👎 / :-1: / ❌ / not ok / approve it / approve this / approve bob's request / approve the emergency /
  approve emergency enable / i approve / I approve this change / please approve it / yes, approve / yes please / ok do it / sign off / signed off /
  how do i approve / can i approve this? / i want to approve / approve <@U0BOB00001> / approuvé / apruebo / let him do it / thumbs up / permission granted / ja / nein
`;
const questions = `
  anything to approve? / is there anything to approve / what needs my approval / what's waiting for my approval / what do I have to approve / what should i approve /
  anything waiting for me / who waits for me / who is waiting on me / what's pending / what is pending? / pending approvals / my approvals / open approvals / approvals /
  any approvals? / show pending approvals / approval queue / approval requests / requests for approval / am I holding anybody up / am i blocking anyone / are we holding someone up /
  does anybody need my ok / does anyone need my sign-off / who needs me / is anybody waiting for me? / what is stuck on me / is something blocked on me / do I have to approve something /
  is there something i must decide / what do i have to confirm / anything waiting for approval / what is waiting for approval / anything waiting for my ok? / requests waiting for me /
  who can approve this / who has to approve it / does bob need me? / what do you need from me / is my ok needed? / what's on my plate / my queue /
  anything for me to do? / who needs approval / decision pending? / waiting on approval / was wartet auf mich / ist was zu genehmigen / has anyone asked for my approval /
  why was i pinged / why did bob tag me here
`;
const others = `
  who can approve emergency enable / what did i approve last week / audit --approved / who approved the last emergency / changes approved by carol / why can i not open yes.example /
  no internet / no sound on rdp / ok google blocked / deny facebook.com / allow it.example / is facebook open for me / get me the logs / is anything blocked for me / cancel / requests /
  pending / status / again / no wait, dont do it / confirm user maria / accept ssl for it.example / reject mails from x.example / go on / what is open / what is on / who is on / ok status /
  why do you ping it.example / why did dns notify / is everything ok / all good? / everything green? / is everything fine / ok thanks / is the directory ok / good morning / yes restart rdp / no one can log in / unblock youtube.com for me /
  status for me / what can i do / who am i / no, i meant session 12 / don't disconnect session 12 / do it again / yes.com / i need youtube.com for me / what is waiting to be compiled / approvals of last week
`;

describe('a line of an approver', () => {
  test.each(sayingsIn(answers))('%s answers somebody', (line) => {
    expect(isAboutApproving(line)).toBe(true);
  });

  test.each(sayingsIn(questions))('%s asks what waits', (line) => {
    expect(isAboutApproving(line)).toBe(true);
  });

  test.each(sayingsIn(others))('%s is about something else', (line) => {
    expect(isAboutApproving(line)).toBe(false);
  });

  test('is never a line by which another command is called or explained', () => {
    const said = Object.values(files)
      .flatMap((file) => Object.values(file))
      .flatMap((one) => ('example' in one && one.phrase !== approvals.phrase ? [one] : []))
      .flatMap(({ phrase, also = [], example }) => [phrase, ...also, example]);
    expect(said.filter(isAboutApproving)).toEqual([]);
  });
});
