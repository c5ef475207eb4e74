import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { codeOf, isTokenRefused, isTrouble } from '../codes.ts';

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
  const needed: unknown = Reflect.get(error.data, 'needed');
  if (isTrouble(error) || isTokenRefused(error)) return undefined;
  return { code: codeOf(error), needed: typeof needed === 'string' ? needed : undefined };
}
