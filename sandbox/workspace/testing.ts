import { App, type Logger, LogLevel } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { onTestFinished } from 'vitest';
import { startHarbour } from '../harbour.ts';
import type { Workspace, WorkspaceOptions } from './workspace.ts';

/** Helpers of the workspace's own tests: workspaces, real clients and real Bolt apps that are gone after each test. */

export const alice = 'U0ALICE001';
export const bob = 'U0BOB00001';
export const helpdesk = 'C0HELPDESK';
export const incident = 'C0INCIDENT';

export async function start(options: WorkspaceOptions = {}): Promise<Workspace> {
  const workspace = await startHarbour(options);
  onTestFinished(() => workspace.stop());
  return workspace;
}

/** The real Web API client, without retries, so that a refusal or a fault is seen as it is. */
export function client(workspace: Workspace, token = workspace.botToken): WebClient {
  return new WebClient(token, {
    slackApiUrl: workspace.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: silent,
  });
}

const nothing = (): void => undefined;

/** The refusals that tests provoke need not be printed. */
const silent: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  getLevel: () => LogLevel.ERROR,
  setName: nothing,
};

/** A real Bolt app over Socket Mode: listeners first, then connected. */
export async function connect(workspace: Workspace, listen: (app: App) => void): Promise<App> {
  const app = new App({
    token: workspace.botToken,
    appToken: workspace.appToken,
    socketMode: true,
    logger: silent,
    clientOptions: { slackApiUrl: workspace.apiUrl, retryConfig: { retries: 0 } },
    convoStore: false,
  });
  listen(app);
  await app.start();
  onTestFinished(async () => void (await app.stop()));
  return app;
}

/** Slack's error code of a call that must be refused, and what else the answer said. */
export async function refusalOf(
  call: Promise<unknown>,
): Promise<Record<string, unknown> & { error?: string }> {
  try {
    await call;
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'data' in error)
      return error.data as Record<string, unknown>;
    throw error;
  }
  throw new Error('The call was not refused');
}

export const button = (action_id: string, text: string, value = 'v') => ({
  type: 'button' as const,
  action_id,
  text: { type: 'plain_text' as const, text },
  value,
});
