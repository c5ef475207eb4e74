/** What Slack answers when the trouble is its own: the same call may be taken in a moment. */
export const slackInTrouble: ReadonlySet<string> = new Set([
  ...['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout', 'ratelimited'],
]);

/**
 * What Slack answers to any call of a token that it does not know, or of an app that is not there any more. It says nothing
 * about what was to be done: with another token, or when the app is back, it is taken (slack-facts.md §11).
 */
export const tokenRefused: ReadonlySet<string> = new Set([
  ...['not_authed', 'invalid_auth', 'account_inactive', 'token_revoked', 'token_expired'],
  ...['not_allowed_token_type', 'user_removed_from_team', 'team_disabled', 'team_added_to_org'],
]);
