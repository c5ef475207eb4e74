import type { ApplianceFailure } from '../../api/index.ts';

/** A failure in the few words that fit into a row: "could not be asked: …". */
export function reasonOf(failure: ApplianceFailure): string {
  switch (failure.code) {
    case 'unreachable':
      return `no connection (${failure.reason})`;
    case 'timeout':
      return 'no answer in time';
    case 'connection_lost':
    case 'upload_failed':
    case 'aborted':
      return 'the connection broke';
    case 'withheld':
      return 'not sent';
    case 'http_status':
    case 'redirected':
      return `HTTP ${failure.status}`;
    case 'refused':
      return failure.reason === '' ? 'refused' : `refused, ${failure.reason}`;
    case 'not_available':
      return `release ${failure.release} cannot do this`;
    case 'not_configured':
      return 'the bot lacks a setting for it';
    case 'defective_build':
      return `this build ${failure.problem}`;
    case 'bad_argument':
      return `it ${failure.problem}`;
    case 'too_large':
    case 'not_json':
    case 'empty':
    case 'unexpected_reply':
      return 'the answer was not understood';
  }
}
