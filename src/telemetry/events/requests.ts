import { event } from './event.ts';

export const tooManyRequests = event('block_page_limited', {
  level: 'warn',
  says: 'Refused a request from the block page: too many',
  fields: ['from'],
  means: 'The limits of docs/block-page.md. Whoever asked was told when to try again.',
});

export const requestNotTaken = event('block_page_request_failed', {
  level: 'error',
  says: 'Could not take a request from the block page',
  fields: ['err'],
  means: 'The page says that it was not sent.',
  action: 'Report the error with its stack, unless the journal was away: then `journal_unavailable` says so.',
});

export const requestCame = event('block_page_request', {
  level: 'info',
  says: 'A request came from the block page',
  fields: ['request', 'from'],
  means: 'It is checked, and those who may decide get a card.',
});

export const pageFailed = event('block_page_failed', {
  level: 'error',
  says: 'Could not answer a request to the block page',
  fields: ['error'],
  means: 'A mistake of the bot’s own. The page says so.',
  action: 'Report it. If the journal was away, `journal_unavailable` says so.',
});

export const nobodyCanAsk = event('block_page_without_policy', {
  level: 'warn',
  says: 'Block pages can lead here, but the policy has no self_service, so nobody can request websites',
  means: 'Every visitor reads that nothing can be asked for here.',
  action: 'Write self_service into the policy, or unset BLOCK_PAGE_PORT.',
});

export const pageConnectionFailed = event('block_page_connection_failed', {
  level: 'error',
  says: 'Could not accept a connection to the block page',
  fields: ['error', 'notLogged'],
  means: 'The system did not let the bot take it. At most one line a minute; `notLogged` counts the others.',
  action: '`error` is the system’s reason, such as a firewall on this machine.',
});
