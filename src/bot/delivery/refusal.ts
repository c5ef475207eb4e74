import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { slackInTrouble, tokenRefused } from '../codes.ts';

/** Why Slack does not tell; undefined where it is to be asked later. @throws what is not Slack's doing */
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
  const { error: code } = error.data;
  const needed: unknown = Reflect.get(error.data, 'needed');
  if (slackInTrouble.has(code) || tokenRefused.has(code)) return undefined;
  return { code, needed: typeof needed === 'string' ? needed : undefined };
}
