import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

/** Another program that uses the same app opens so many connections to Slack, and says nothing over them. They end with the test. */
export async function joinApp(
  { apiUrl, appToken }: { readonly apiUrl: string; readonly appToken: string },
  connections: number,
): Promise<void> {
  for (let opened = 0; opened < connections; opened += 1) {
    const answer = await fetch(new URL('apps.connections.open', apiUrl), {
      method: 'POST',
      headers: { authorization: `Bearer ${appToken}` },
    });
    const socket = new WebSocket(Object(await answer.json()).url);
    onTestFinished(() => socket.terminate());
    await once(socket, 'message');
  }
}
