declare module 'echarts/dist/echarts.esm.min' {
  export { init } from 'echarts';
}
