import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Variable: encodeText","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/variables/svc-runtime.codec.encodeText.md","filePath":"reference/api/variables/svc-runtime.codec.encodeText.md"}');
const _sfc_main = { name: "reference/api/variables/svc-runtime.codec.encodeText.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="variable-encodetext" tabindex="-1">Variable: encodeText <a class="header-anchor" href="#variable-encodetext" aria-label="Permalink to &quot;Variable: encodeText&quot;">​</a></h1><blockquote><p><code>const</code> <strong>encodeText</strong>: <a href="./../types/svc-runtime.codec.Encode"><code>Encode</code></a>&lt;<code>string</code>&gt;</p></blockquote></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/variables/svc-runtime.codec.encodeText.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_codec_encodeText = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_codec_encodeText as default
};
