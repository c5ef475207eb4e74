import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import type { ChatRefused } from '../action/base/chat.ts';

/** Slack's own transient errors: the same call may succeed in a moment. */
const slackInTrouble: ReadonlySet<string> = new Set([
  ...[
    'internal_error',
    'fatal_error',
    'service_unavailable',
    'request_timeout',
    'external_channel_migrating',
  ],
  // Other processes hold all connections of the app, while the token is valid.
  'too_many_websockets',
]);

/** Sent instead of HTTP 429: the limit was exceeded, and this was not accepted. Slack spells it in both ways. */
const limits: ReadonlySet<string> = new Set(['ratelimited', 'rate_limited', 'message_limit_exceeded']);

/**
 * Slack refuses every call with these codes for an unknown token or a removed app. They say nothing about the
 * call itself: with another token, or when the app is back, it succeeds (slack-facts.md §11).
 */
const tokenRefused: ReadonlySet<string> = new Set([
  ...['not_authed', 'invalid_auth', 'account_inactive', 'token_revoked', 'token_expired'],
  ...['not_allowed_token_type', 'user_removed_from_team', 'team_disabled', 'team_added_to_org'],
  ...['org_login_required', 'two_factor_setup_required', 'enterprise_is_restricted', 'accesslimited'],
]);

type RefusedFor = Exclude<ChatRefused['about'], 'unknown' | 'token' | undefined>;

/** Codes about a message's channel, thread or content. */
const aboutPlace = [
  ...['channel_not_found', 'not_in_channel', 'is_archived', 'is_inactive', 'invalid_channel'],
  ...['user_not_in_channel', 'user_not_found', 'cannot_dm_bot', 'messages_tab_disabled'],
  ...['restricted_action', 'restricted_action_read_only_channel', 'restricted_action_thread_only_channel'],
  ...['posting_to_channel_denied', 'team_access_not_granted', 'access_denied', 'no_permission'],
  'ekm_access_denied',
];
const aboutThread = [
  ...['thread_not_found', 'message_not_found', 'cannot_reply_to_message'],
  ...['restricted_action_thread_locked', 'restricted_action_non_threadable_channel'],
];
const aboutContent = [
  ...['no_text', 'msg_too_long', 'msg_blocks_too_long', 'too_many_attachments', 'block_mismatch'],
  ...['invalid_blocks', 'invalid_blocks_format', 'invalid_attachments', 'invalid_arguments'],
  ...['metadata_too_large', 'invalid_metadata_format', 'invalid_metadata_schema'],
  ...['attachment_payload_limit_exceeded', 'too_many_contact_cards', 'markdown_text_conflict'],
];
const aboutChange = ['edit_window_closed', 'cant_update_message'];
const aboutFile = [
  ...['file_not_found', 'file_uploads_disabled', 'file_upload_size_restricted', 'blocked_file_type'],
  'storage_limit_reached',
];

/**
 * Codes about one message or its channel: a retry would be refused again (slack-facts.md §1). Every other code,
 * even an unknown one, is no verdict on the message.
 */
const aboutMessage: ReadonlyMap<string, RefusedFor> = new Map(
  Object.entries({
    place: aboutPlace,
    thread: aboutThread,
    content: aboutContent,
    other: [...aboutChange, ...aboutFile],
  } satisfies Readonly<Record<RefusedFor, readonly string[]>>).flatMap(([what, codes]) =>
    codes.map((code) => [code, what as RefusedFor]),
  ),
);

/** A proxy's page instead of an answer, which the SDK takes for a code. */
const noCode = 'not_an_answer_of_slack';

/** Slack's code, or another short name for logs and sentences; never a page. */
export function codeOf(error: unknown): string {
  if (error instanceof WebAPIPlatformError) {
    const { error: code } = error.data;
    return /^[\w.:-]{1,80}$/.test(code) ? code : noCode;
  }
  if (error instanceof WebAPIHTTPError) return `http_${error.statusCode}`;
  if (error instanceof WebAPIRateLimitedError) return 'ratelimited';
  return error instanceof Error ? error.name : 'unknown_error';
}

export const isTokenRefused = (error: unknown): boolean =>
  error instanceof WebAPIPlatformError && tokenRefused.has(error.data.error);

/** Refused because of earlier messages. */
export const isLimited = (error: unknown): boolean =>
  error instanceof WebAPIRateLimitedError ||
  (error instanceof WebAPIPlatformError && limits.has(error.data.error));

/** The part that Slack refuses, if the code is a verdict on this message. */
export const refusedFor = (error: unknown): RefusedFor | undefined =>
  error instanceof WebAPIPlatformError ? aboutMessage.get(error.data.error) : undefined;

export const isUnknownCode = (error: unknown): boolean =>
  error instanceof WebAPIPlatformError &&
  !(isTrouble(error) || isTokenRefused(error)) &&
  refusedFor(error) === undefined;

/** Slack's answer or its absence, as opposed to a bug. */
export const isOfSlack = (error: unknown): boolean =>
  isTrouble(error) ||
  error instanceof WebAPIPlatformError ||
  error instanceof WebAPIHTTPError ||
  isLimited(error);

/** Trouble of Slack, the network or a gateway: the same call may succeed in a moment. */
export const isTrouble = (error: unknown): boolean =>
  error instanceof WebAPIRequestError ||
  (error instanceof WebAPIHTTPError && error.statusCode >= 500) ||
  (error instanceof WebAPIPlatformError &&
    (slackInTrouble.has(error.data.error) || limits.has(error.data.error) || codeOf(error) === noCode));

/** Why Slack refuses to tell; undefined if a later attempt may succeed. @throws errors that are not Slack's */
export function refusalIn(
  error: unknown,
): { readonly code: string; readonly needed: string | undefined } | undefined {
  if (
    error instanceof WebAPIRequestError ||
    error instanceof WebAPIHTTPError ||
    error instanceof WebAPIRateLimitedError
  )
    return undefined;
  if (!(error instanceof WebAPIPlatformError)) throw error;
  const needed: unknown = Reflect.get(error.data, 'needed');
  if (isTrouble(error) || isTokenRefused(error)) return undefined;
  return { code: codeOf(error), needed: typeof needed === 'string' ? needed : undefined };
}
