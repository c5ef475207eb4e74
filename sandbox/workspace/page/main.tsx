import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { appliancePanel } from './appliance/AppliancePanel.tsx';

const root = document.getElementById('root');
if (root) createRoot(root).render(<App beside={appliancePanel} />);
