import { newSecondFactor, type SecondFactor } from '../../company/rdp/members.ts';
import type { Route } from '../../route.ts';
import { requiredText } from './fields.ts';
import { change, read } from './order.ts';
import { Refusal } from './refusal.ts';

/** The second factor of every member: appliance-api.md §4.6. Its fields are not documented, but the secret stays here. */
export const secondFactor: readonly Route[] = [
  read('/rdpproxy/mfa/users', ({ state }) => ({
    Users: [...state.rdp.members.values()].map(({ username, secondFactor: factor }) => ({
      username,
      enrolled: factor.secret === '' ? 0 : 1,
      locked: factor.locked ? 1 : 0,
      exempt: factor.exempt ? 1 : 0,
      failures: factor.failures,
    })),
  })),

  // The member enrols anew, so that an exemption ends too: no other call would end it.
  ordered('reset', (factor) => Object.assign(factor, newSecondFactor())),

  ordered('unlock', (factor) => Object.assign(factor, { locked: false, failures: 0 })),

  ordered('exempt', (factor) => {
    factor.exempt = true;
  }),
];

/** The body is `{"username": "<username>"}`. */
function ordered(verb: string, carryOut: (factor: SecondFactor) => void): Route {
  return change('POST', `/rdpproxy/mfa/${verb}`, ({ state, fields }) => {
    const username = requiredText(fields, 'username');
    const member = [...state.rdp.members.values()].find((one) => one.username === username);
    if (member === undefined) throw new Refusal('user not found');
    carryOut(member.secondFactor);
    return { what: `second factor of ${username}: ${verb}` };
  });
}
