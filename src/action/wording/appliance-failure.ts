import type { ApplianceFailure } from '../../api/index.ts';
import { code, plural, say, strong, type Text } from '../../handlers/reply.ts';
import { obstacleTo } from './cures.ts';

/** What can be said about the appliance's state after a failure: it was only asked, or nothing was changed. */
export type Stakes = 'lookup' | 'preview';

/** What waiting does not mend: the same question gets the same answer. */
function isLasting(failure: ApplianceFailure): boolean {
  switch (failure.code) {
    case 'bad_argument':
    case 'defective_build':
    case 'not_available':
    case 'not_configured':
    case 'redirected':
    case 'too_large':
      return true;
    case 'not_json':
      return failure.isPage;
    case 'unexpected_reply':
      return failure.tooMuch;
    default:
      return 'obstacle' in failure && failure.obstacle !== undefined;
  }
}

/** What follows from it for whoever waits: that nothing was changed, and whether to try again. */
export function consequence(stakes: Stakes, failure: ApplianceFailure): Text {
  const again = isLasting(failure) ? lessOf(failure) : ' Try again in a moment.';
  return stakes === 'lookup'
    ? say`No changes were made.${again}`
    : say`No changes were made, because the current state couldn’t be read.${again}`;
}

/** The appliance answers the same again. What it has too much of can only be asked for in part. */
const lessOf = (failure: ApplianceFailure): string =>
  failure.code === 'too_large' || failure.code === 'unexpected_reply'
    ? ' It will be as much the next time: ask for less of it where the command has a limit, or use the web console.'
    : '';

const unconfigured = {
  mirrorUrl: 'the address of the mirror service',
  shellPassword: 'the shell password',
} as const;

/** As they are called in the configuration file. */
const settingNames = { mirrorUrl: 'mirror_url', shellPassword: 'shell_password' } as const;

/** What an appliance did wrong, as one sentence without its consequences. */
export function applianceFailure(appliance: string, failure: ApplianceFailure): Text {
  const name = strong(appliance);
  const answered = failure.excerpt === '' ? say`` : say` It answered ${code(failure.excerpt)}.`;
  switch (failure.code) {
    case 'unreachable':
      return failure.obstacle === undefined
        ? say`${name} is unreachable (${failure.reason}).`
        : obstacleTo([name], failure.obstacle, failure.operation, failure.reason);
    case 'timeout':
      return say`${name} did not answer within ${duration(failure.milliseconds)}.`;
    case 'connection_lost':
      return say`The connection to ${name} broke before the answer was complete.`;
    case 'unreadable':
      return say`${obstacleTo([name], failure.obstacle, failure.operation, failure.reason)}${failure.obstacle === 'other_protocol' ? answered : ''}`;
    case 'http_status':
      return failure.obstacle === undefined
        ? say`${name} answered with an error (HTTP ${failure.status}).${answered}`
        : obstacleTo([name], failure.obstacle, failure.operation, `HTTP ${failure.status}`);
    case 'redirected':
      return failure.obstacle === undefined
        ? say`${name} sent the bot to another address (${code(failure.excerpt)}), which it does not follow: is the configured address the Web API’s?`
        : say`${obstacleTo([name], failure.obstacle, failure.operation, `HTTP ${failure.status}`)} It leads to ${code(failure.excerpt)}.`;
    case 'not_served':
      return obstacleTo([name], failure.obstacle, failure.operation);
    case 'too_large':
      return say`${name} answered with more than ${Math.round(failure.bound / 1024 / 1024)} MB, so reading stopped there.`;
    case 'not_json':
      return failure.isPage
        ? say`${name} answered with a web page instead of data: is the configured address the Web API’s?${answered}`
        : say`${name} answered with something other than data.${answered}`;
    case 'empty':
      return nothingFrom(name);
    case 'unexpected_reply':
      if (/^(?:\[\]|null)$/.test(failure.excerpt)) return nothingFrom(name);
      return failure.tooMuch
        ? say`${name} answered with more data than expected, so the answer was not processed.`
        : say`${name} answered with something unexpected.${answered}`;
    case 'incomplete_list':
      return say`${name} ${failure.problem}.`;
    case 'refused':
      return failure.reason === ''
        ? say`${name} refused and gave no reason.`
        : say`${name} refused: ${code(failure.reason)}.`;
    case 'defective_build':
      return say`${name} ${failure.problem}. It is a known defect of its build: ${failure.remedy}.`;
    case 'not_available':
      return say`${name} runs release ${failure.release}, which cannot do this; it came with ${failure.availableFrom}. If a hotfix is installed that the appliance does not report, state it in the bot's configuration (${code('release')}).`;
    case 'not_configured':
      if (failure.setting === 'url') {
        return say`${name} is no longer in the bot’s configuration, so it can’t be reached. Add it again, or make the change on the appliance itself.`;
      }
      return say`The bot does not know ${unconfigured[failure.setting]} of ${name}. An admin of the bot can add it to the configuration (${code(settingNames[failure.setting])}).`;
    case 'bad_argument':
      return say`That cannot be sent to ${name}: the ${failure.argument} ${failure.problem}.`;
    case 'upload_failed':
      return say`The upload to ${name} broke off: ${failure.problem}.`;
    case 'withheld':
      return say`Another replica of the bot may have taken this over, because this one did not answer for a while, so it sent nothing more to ${name}.`;
    case 'aborted':
      return say`The call to ${name} was given up because the bot is stopping.`;
  }
}

const nothingFrom = (name: Text[number]): Text =>
  say`${name} answered with nothing at all. The service behind this call is most likely stopped or starting: see ${code('services')}.`;

/** `10 seconds`, `0.6 seconds`. */
function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 100) / 10;
  return plural(seconds, 'second');
}
