import { type Approvals, createApprovals } from '../approval/approvals.ts';
import { type ClickParts, type Clicks, createClicks } from './click.ts';
import { createEndings, type Endings } from './ending.ts';
import { createProposals, type ProposalParts, type Proposals } from './propose.ts';
import { createRecheck, type Recheck, type RecheckParts } from './recheck.ts';

/** What is put before people, and what comes of their clicks; `run.ts` carries out what they agreed to. */
export interface Confirmation
  extends Proposals,
    Clicks,
    Pick<Endings, 'expireOverdue'>,
    Pick<Approvals, 'bar' | 'obstacle'>,
    Pick<Recheck, 'begin'> {}

export function createConfirmation(
  parts: Omit<RecheckParts & ClickParts & ProposalParts, 'approvals' | 'endings' | 'recheck'>,
): Confirmation {
  const endings = createEndings(parts);
  const approvals = createApprovals({ ...parts, end: endings.cancelInTime });
  const recheck = createRecheck({ ...parts, approvals });
  return {
    ...createProposals({ ...parts, approvals }),
    ...createClicks({ ...parts, approvals, endings, recheck }),
    expireOverdue: endings.expireOverdue,
    bar: approvals.bar,
    obstacle: approvals.obstacle,
    begin: recheck.begin,
  };
}
