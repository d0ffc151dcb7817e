import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Interface: NumberLimits","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/interfaces/svc-runtime.codec.NumberLimits.md","filePath":"reference/api/interfaces/svc-runtime.codec.NumberLimits.md"}');
const _sfc_main = { name: "reference/api/interfaces/svc-runtime.codec.NumberLimits.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="interface-numberlimits" tabindex="-1">Interface: NumberLimits <a class="header-anchor" href="#interface-numberlimits" aria-label="Permalink to &quot;Interface: NumberLimits&quot;">​</a></h1><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="maximum" tabindex="-1">maximum? <a class="header-anchor" href="#maximum" aria-label="Permalink to &quot;maximum?&quot;">​</a></h3><blockquote><p><code>readonly</code> <code>optional</code> <strong>maximum?</strong>: <code>number</code></p></blockquote><hr><h3 id="minimum" tabindex="-1">minimum? <a class="header-anchor" href="#minimum" aria-label="Permalink to &quot;minimum?&quot;">​</a></h3><blockquote><p><code>readonly</code> <code>optional</code> <strong>minimum?</strong>: <code>number</code></p></blockquote></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/interfaces/svc-runtime.codec.NumberLimits.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_codec_NumberLimits = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_codec_NumberLimits as default
};
