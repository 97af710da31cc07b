import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/panels.css';
import './styles/tables.css';
import './styles/charts.css';
import './styles/print.css';
import { render } from 'preact';
import { App } from './app.js';

const root = document.getElementById('app');
if (root !== null) render(<App />, root);
