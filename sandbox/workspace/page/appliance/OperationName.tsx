/** An operation, or a request: its method as a mark, and its path. `-` is a method the document does not show. */
export function OperationName({ name }: { readonly name: string }) {
  const [, method = '', path = ''] = /^(\S+) (.*)$/s.exec(name) ?? [];
  return (
    <span className="operation">
      <span className="operation-method">{method === '-' ? 'ANY' : method}</span>{' '}
      <span className="operation-path">{path}</span>
    </span>
  );
}
