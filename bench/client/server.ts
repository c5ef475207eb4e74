import { createServer } from 'node:http';

/** A local appliance that only answers, in a process of its own, so that the measurement covers the client alone. */
const answer = JSON.stringify({
  Status: true,
  Info: '2 categories',
  Error: '',
  Categories: [
    {
      table_name: 'category_shopping',
      category_name: 'shopping',
      category_id: 252,
      rpz_enabled: 0,
      rpz_action: 0,
      rpz_redirect: '',
    },
    {
      table_name: 'category_news',
      category_name: 'news',
      category_id: 161,
      rpz_enabled: 1,
      rpz_action: 2,
      rpz_redirect: 'blocked.example',
    },
  ],
});

const server = createServer((request, response) => {
  let bytes = '';
  request.setEncoding('latin1').on('data', (chunk: string) => {
    bytes += chunk;
  });
  request.on('end', () => {
    // Line feeds separate the sites of a bulk add.
    const reply =
      request.method === 'POST'
        ? JSON.stringify({ status: true, added: bytes === '' ? 0 : bytes.split('%0A').length })
        : answer;
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': reply.length })
      .end(reply);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : '');
});
process.once('disconnect', () => process.exit());
