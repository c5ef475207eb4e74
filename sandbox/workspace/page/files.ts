export type PageFileName = 'index.html' | 'app.js' | 'app.css' | 'favicon.svg';

/** The files of the page, by path. `type` is the whole Content-Type. */
export const pageFiles: Readonly<Record<string, { readonly name: PageFileName; readonly type: string }>> = {
  '/': { name: 'index.html', type: 'text/html; charset=utf-8' },
  '/assets/app.js': { name: 'app.js', type: 'text/javascript; charset=utf-8' },
  '/assets/app.css': { name: 'app.css', type: 'text/css; charset=utf-8' },
  '/favicon.svg': { name: 'favicon.svg', type: 'image/svg+xml' },
  '/favicon.ico': { name: 'favicon.svg', type: 'image/svg+xml' },
};
