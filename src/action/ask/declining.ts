import { showDomain } from '../../handlers/language/domain.ts';
import { type Reply, say } from '../../handlers/reply.ts';
import { askPhrase } from '../authority/ways.ts';
import type { Parts } from '../ground/ground.ts';
import type { SiteRequest } from '../requests/site-request.ts';
import { standingOf } from '../requests/words.ts';
import type { Fault } from '../wording/faults.ts';

/** Which of its buttons was pressed. */
export type RequestButton = 'Allow' | 'Deny';

/** Who has clicked, and on what. */
type Clicked = Parameters<Parts['interactionLog']['decline']>[0];

/** A click on a request that does nothing: whoever pressed is told why, and it is recorded like any other that was refused. */
export interface Declining {
  readonly decline: (
    press: Clicked,
    button: RequestButton,
    request: SiteRequest,
    why: Reply | Fault,
  ) => Promise<void>;
  /** Somebody else was first. */
  readonly tooLate: (press: Clicked, button: RequestButton, request: SiteRequest) => Promise<void>;
}

export function createDeclining({ interactionLog, now }: Pick<Parts, 'interactionLog' | 'now'>): Declining {
  const declining: Declining = {
    decline: (press, button, request, why) => {
      const refusal = 'code' in why ? why : ({ code: 'request_over', reply: why } as const);
      return interactionLog.decline(press, aboutPress(button, request), refusal);
    },
    tooLate: (press, button, request) =>
      declining.decline(press, button, request, {
        headline: say`${standingOf(request, now())}. Your click did nothing.`,
      }),
  };
  return declining;
}

/** What is recorded of a press: no line was typed, and whoever pressed has asked for nothing. */
export const aboutPress = (
  button: RequestButton,
  { row }: Pick<SiteRequest, 'row'>,
): { readonly line: string; readonly phrase: string; readonly appliances: readonly string[] } => ({
  line: `(${button} on the request for ${showDomain(row.site)})`,
  phrase: askPhrase,
  appliances: row.appliances,
});
