/** An answer as it goes over the wire. */
export class Sent {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as data, when it is JSON. */
  readonly reply: unknown;

  constructor(
    { status = 200, type = json, headers = {}, reply }: Partial<Omit<Sent, 'body'>>,
    body = JSON.stringify(reply),
  ) {
    this.status = status;
    this.type = type;
    this.headers = headers;
    this.reply = reply;
    this.body = body;
  }
}

const json = 'application/json';
const html = 'text/html; charset=utf-8';

export const nothing = new Sent({}, '');

export function asJson(reply: unknown): Sent {
  return new Sent({ reply });
}

export function asText(status: number, text: string): Sent {
  return new Sent({ status, type: 'text/plain; charset=utf-8' }, text);
}

/** The same under the name of a page. */
export function asIfAPage(sent: Sent): Sent {
  return new Sent({ ...sent, type: html }, sent.body);
}

const titles: Readonly<Record<number, string>> = {
  200: 'Web console',
  302: 'Found',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Content Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** A page as web servers have them, with this HTTP status; `note` explains it. */
export function asPage(status: number, note = ''): Sent {
  const title = `${status === 200 ? '' : `${status} `}${titles[status] ?? 'Error'}`;
  const explained = note === '' ? '' : `<p>${note.replaceAll('<', '&lt;')}</p>`;
  return new Sent(
    { status, type: html },
    `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1>${explained}</body></html>\n`,
  );
}

/**
 * HTTP 302, with a page for clients that do not follow it. A header holds no line feed and nothing beyond Latin 1;
 * percent-encoded characters stay so.
 */
export function asRedirect(to: string): Sent {
  const location = encodeURI(to.toWellFormed()).replaceAll('%25', '%');
  const page = asPage(302);
  return new Sent({ ...page, headers: { location } }, page.body);
}

/** The page that redirects lead to. */
export const loginPage = new Sent(
  { type: html },
  `<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><h1>Sign in</h1>
<form method="post"><input name="username"><input name="password" type="password"><button>Sign in</button></form></body></html>\n`,
);
