var b,gn,qt,re,Ct,et,bn,Ze,xn,Pt,Et,Fo,je=Symbol.for("pv"),tt={},nt=[],Uo=/^m(i|n|o|s|text|space)$/,Tt=Array.isArray,It=nt.slice,pe=Object.assign;function ue(e){e&&e.parentNode&&e.remove()}function ot(e,t,n){var o,r,s,i={},a=arguments.length;for(s in t)s=="key"?o=t[s]:s=="ref"&&typeof e!="function"?r=t[s]:i[s]=t[s];return a>2&&(i.children=a>3?It.call(arguments,2):n),Re(e,i,o,r,null)}function Re(e,t,n,o,r){var s={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:je,__v:r||++gn,__i:-1,__u:0};return!r&&b.vnode&&b.vnode(s),s}function de(e){return e.children}function xe(e,t){this.props=e,this.context=t,this.__g=0}function se(e,t){if(t==null)return e.__&&se(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:se(e)}function Ko(e){var t,n=e.__v,o=n.__e,r=[],s=[],i=e.__P;i&&((t=pe({constructor:je},n)).__v=n.__v+1,b.vnode&&b.vnode(t),Rt(i,t,n,e.__n,i.namespaceURI,32&n.__u?[o]:null,r,o||se(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,En(r,t,s),n.__=n.__e=null,t.__e!=o&&wn(t))}function wn(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),wn(e)}function yn(e){(8&e.__g||(e.__g|=8,re.push(e),et++))&&Ct==b.debounceRendering||((Ct=b.debounceRendering)||queueMicrotask)(kn)}function kn(){try{for(var e,t=1;re.length;)re.length>t&&re.sort(bn),e=re.shift(),t=re.length,8&e.__g&&Ko(e)}finally{(et=re.length)&&(Ct||queueMicrotask)(kn)}}function Sn(e,t,n,o,r,s,i,a,l,d,p){var h,m,u,f,$,_,g=o.__k||nt,y=t.length;for(l=Wo(n,t,g,l,y),h=0;h<y;h++)(u=n.__k[h])!=null&&(m=~u.__i&&g[u.__i]||tt,u.__i=h,_=Rt(e,u,m,r,s,i,a,l,d,p),f=u.__e,(m.ref!=u.ref||8&m.__u)&&(m.ref&&jt(m.ref,null,u,m),u.ref&&p.push(u.ref,u.__c||f,u)),$=$||f,4&u.__u?(l=On(u,l,e,!m.__v),m.__e&&(m.__e=null)):typeof u.type=="function"&&_!==void 0?l=_:f&&(l=f.nextSibling),u.__u&=-21);return n.__e=$,l}function Wo(e,t,n,o,r){var s,i,a,l,d,p,h,m,u,f=n.length,$=f,_=0,g=0,y=e.__k=Array(r);for(s=0;s<r;s++)(i=t[s])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=y[s]=Re(null,i):Tt(i)?i=y[s]=Re(de,{children:i}):i.constructor===je&&i.__b?i=y[s]=Re(i.type,i.props,i.key,i.ref,i.__v):y[s]=i,l=s+_,i.__=e,i.__b=e.__b+1,a=null,~(d=i.__i=Go(i,n,l,$))&&($--,(a=n[d])&&(a.__u|=2)),a&&a.__v?(i.__u|=16,d==l-1?_--:d==l+1?_++:d!=l&&(d>l?_--:_++,g=1)):(~d||(r>f?_--:r<f&&_++),typeof i.type!="function"&&(i.__u|=4))):y[s]=null;if(g){for(p=[],h=[],s=0;s<r;s++)if((i=y[s])&&16&i.__u){for(_=0,m=p.length;_<m;)p[u=_+m>>1]<i.__i?_=u+1:m=u;p[_]=i.__i,h[s]=_+1}for(_=p.length;s--;)h[s]&&(h[s]==_?_--:y[s].__u|=4)}if($)for(s=0;s<f;s++)!(a=n[s])||2&a.__u||(a.__e==o&&(o=se(a)),Mt(a,a));return o}function On(e,t,n,o){var r,s,i,a;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(s=0;s<r.length;s++)r[s]&&(r[s].__=e,t=On(r[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=se(e))&&!t.parentNode&&(t=null),i=e.__e,a=t;a&&a.nodeType==8;)a=a.nextSibling;for(i!=a&&(!o&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Go(e,t,n,o){var r,s=e.key,i=e.type,a=t[n],l=a&&!(2&a.__u);if(a===null&&s==null||l&&s==a.key&&i==a.type)return n;if(o>(l?1:0)){for(r=n-1;r>=0;r--)if((a=t[r])&&!(2&a.__u)&&s==a.key&&i==a.type)return r;for(r=n+1;r<t.length;r++)if((a=t[r])&&!(2&a.__u)&&s==a.key&&i==a.type)return r}return-1}function vn(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Ye(e,t,n,o,r){var s,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||vn(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||vn(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(i=Et[t]||(Et[t]=Vo(t)),(e.__a||(e.__a={}))[t]=Pt,s=t!=(t=t.replace(xn,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,s):e.removeEventListener(t,i,s));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Vo(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Ze]==null)t[Ze]=Pt++;else if(t[Ze]<this.__a[e])return;return n(b.event?b.event(t):t)}}}function Rt(e,t,n,o,r,s,i,a,l,d){var p,h,m,u,f,$,_,g,y,w,v,oe,U,le,J,Qe,k,S,M=t.type;if(t.constructor!==je)return null;128&n.__u&&(l=32&n.__u,p=n.__c.__z)&&(t.__u|=l,h=s=[],p.nodeType==8?a=Xe(p,s):s.push(p),a=s[0]||a),(p=b.__b)&&p(t);e:if(typeof M=="function"){m=i.length;try{if(g=t.props,y=(p=M.prototype)&&p.render,w=(p=M.contextType)&&o[p.__c],v=p?w?w.props.value:p.__:o,(u=n.__c)?(t.__c=u,2&u.__g&&(u.__g|=1)):(y?t.__c=u=new M(g,v):(t.__c=u=new xe(g,v),u.constructor=M,u.render=zo),w&&w.sub(u),u.state||(u.state={}),u.__n=o,u.__g|=8,u.__h=[],u.__k=[]),y&&(u.__s||(u.__s=u.state),M.getDerivedStateFromProps&&(u.__s==u.state&&(u.__s=pe({},u.__s)),pe(u.__s,M.getDerivedStateFromProps(g,u.__s)))),f=u.props,$=u.state,u.__v=t,n.__c){if(g!==f&&y&&!M.getDerivedStateFromProps&&u.componentWillReceiveProps&&u.componentWillReceiveProps(g,v),t.__v==n.__v&&!(8&u.__g)||!(4&u.__g)&&u.shouldComponentUpdate&&u.shouldComponentUpdate(g,u.__s,v)===!1){t.__v!=n.__v&&(u.props=g,u.state=u.__s,u.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(P){P&&(P.__=t)}),nt.push.apply(u.__h,u.__k),u.__k=[],u.__h.length&&i.push(u),a=se(n);break e}u.componentWillUpdate&&u.componentWillUpdate(g,u.__s,v),y&&u.componentDidUpdate&&u.__h.push(function(){u.componentDidUpdate(f,$,_)})}else y&&!M.getDerivedStateFromProps&&u.componentWillMount&&u.componentWillMount(),y&&u.componentDidMount&&u.__h.push(u.componentDidMount);u.context=v,u.props=g,u.__P=e,u.__g&=-5,oe=b.__r,U=y?25:0;do u.__g&=-9,oe&&oe(t),p=u.render(u.props,u.state=u.__s,u.context);while(8&u.__g&&++U<25);y&&(nt.push.apply(u.__h,u.__k),u.__k=[]),u.state=u.__s,u.getChildContext&&(o=pe({},o,u.getChildContext())),y&&n.__c&&u.getSnapshotBeforeUpdate&&(_=u.getSnapshotBeforeUpdate(f,$)),le=p&&p.type===de&&p.key==null?p.props.children:p,g.__P&&(p=a,r=(e=g.__P).namespaceURI,l=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(P){P&&Mt(P,P)}),n.__k=null),a=n.__k?se(n,0):null),a=Sn(e,Tt(le)?le:[le],t,n,o,r,s,i,a,l,d),g.__P&&(t.__e=null,a=p),t.__u&=-161,h&&h.some(ue),u.__h.length&&i.push(u),1&u.__g&&(u.__g&=-4)}catch(P){if(i.length=m,t.__v=null,l||s)if(P&&P.then){if(t.__u|=128|l,s){for(~(k=s.indexOf(a||void 0))||(k=s.length);(S=s[k-1])&&S.nodeType==8;)k--;for(;k<s.length;k++)if(S=s[k])if(s[k]=null,J){if(S==Qe)break}else{if(S.nodeType!=8)break;S.data.startsWith("$s")&&(Qe=Xe(J=S))}}if(!J){for(;a&&a.nodeType==8&&a.nextSibling;)a=a.nextSibling;J=a}(p=Xe(J=t.__c.__z||(t.__c.__z=J)))?(t.__e=J,a=p):t.__e=a,a=a&&a.nextSibling}else s&&s.some(ue);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),P&&P.then||Cn(t),b.__e(P,t,n)}}else a=t.__e=Jo(n.__e,t,n,o,r,s,i,l,d,e);return(p=b.diffed)&&p(t),a}function Xe(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Cn(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Cn))}function En(e,t,n){for(var o=0;o<n.length;)jt(n[o++],n[o++],n[o++]);b.__c&&b.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(s){s.call(r)})}catch(s){b.__e(s,r.__v)}})}function Jo(e,t,n,o,r,s,i,a,l,d){var p,h,m,u,f,$,_,g,y=n.props||tt,w=t.props,v=t.type;if(v=="svg"?r="http://www.w3.org/2000/svg":v=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),s){for(p=0;p<s.length;p++)if((f=s[p])&&(v?f.localName==v:f.nodeType==3)){e=f,s[p]=null;break}}if(!e){if(g=d.ownerDocument||document,!v)return g.createTextNode(w);e=g.createElementNS(r,v,w.is?w:d),a&&(b.__m&&b.__m(t,s),a=!1),s=null}if(v){if(d=v=="template"&&e.content||e,s=v=="textarea"&&w.defaultValue!=null?null:s&&It.call(d.childNodes),!a&&s)for(y={},p=0;p<e.attributes.length;p++)y[(f=e.attributes[p]).name]=f.value;for(p in y)f=y[p],p=="dangerouslySetInnerHTML"?m=f:p=="children"||p in w||p=="value"&&"defaultValue"in w||p=="checked"&&"defaultChecked"in w||Ye(e,p,null,f,r);for(p in w)f=w[p],p=="children"?u=f:p=="dangerouslySetInnerHTML"?h=f:p=="value"?$=f:p=="checked"?_=f:a&&typeof f!="function"||y[p]===f||Ye(e,p,f,y[p],r);h?(a||m&&(h.__html==m.__html||h.__html==e.innerHTML)||(e.innerHTML=h.__html),t.__k=[]):(m&&(e.textContent=""),(v=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&Uo.test(v))&&(r="http://www.w3.org/1999/xhtml"),Sn(d,Tt(u)?u:[u],t,n,o,r,s,i,s?s[0]:n.__k&&se(n,0),a,l),s&&s.some(ue)),a&&v!="textarea"||(p="value",v=="progress"&&$==null?e.removeAttribute(p):$==null||$===e[p]&&(v!="progress"||$)||Ye(e,p,$,y[p],r),p="checked",_!=null&&_!=e[p]&&Ye(e,p,_,y[p],r))}else y===w||a&&e.data==w||(e.data=w);return e}function jt(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){b.__e(r,n)}}function Mt(e,t,n){var o,r,s,i;if(b.unmount&&b.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||jt(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(a){b.__e(a,t)}o.__P=o.__n=null}if(o=e.__k)for(i=0;i<o.length;i++)o[i]&&Mt(o[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=Xe(o,s=[]))&&(o==e.__e&&s.some(ue),ue(r),ue(o)),n||ue(e.__e),e.__e=e.__c=e.__=null}function zo(e,t,n){return this.constructor(e,n)}function At(e,t){var n,o,r,s;b.__&&b.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=Re(de,{children:[e]}),r=[],s=[],Rt(t,t.__k,o||tt,tt,t.namespaceURI,o?null:t.firstChild?It.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,s),En(r,t.__k,s),t.__k.props.children=null}b={__e:function(e,t,n,o){for(var r,s,i;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(s=r.constructor)&&s.getDerivedStateFromError)&&r.setState(s.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(a){e=a}}throw et=0,e}},gn=0,qt=function(e){return e!=null&&e.constructor===je},xe.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=pe({},this.state)),typeof e=="function"&&(e=e(pe({},n),this.props)),e&&(pe(n,e),this.__v&&(t&&this.__k.push(t),yn(this)))},xe.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),yn(this))},xe.prototype.render=de,re=[],et=0,bn=function(e,t){return e.__v.__b-t.__v.__b},Ze=Symbol(),xn=/(PointerCapture)$|Capture$/i,Pt=0,Et={},Fo=0;var fe,q,Nt,qn,Dt=Object.is,rt=0,Dn=[],Lt=[],E=b,Pn=E.__b,Tn=E.__r,In=E.diffed,Rn=E.__c,jn=E.unmount,Mn=E.__;function Ae(e,t){E.__h&&E.__h(q,e,rt||t),rt=0;var n=q.__H||(q.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function N(e){return rt=1,Qo(Hn,e)}function Qo(e,t,n){var o=Ae(fe++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):Hn(void 0,t),function(s){var i=(o.__N||o.__)[0],a=o.t(i,s);Dt(i,a)||(o.__N=[a,o.__[1]],o.__c.setState({}))}],o.__c=q,!q.__f)){q.__f=!0;var r=q.shouldComponentUpdate;q.shouldComponentUpdate=function(s,i,a){var l=this.__H;if(!l)return!0;var d=!1,p=this.props!=s;if(l.__.some(function(m){m.__N&&(d=!0,Dt(m.__[0],m.__N[0])||(p=!0))}),r){var h=r.call(this,s,i,a);return d?h||p:h}return!d||p}}return o.__}function z(e,t){var n=Ae(fe++,3);!E.__s&&Bt(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,q.__H.__h.push(n))}function Ln(e,t){var n=Ae(fe++,4);!E.__s&&Bt(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,q.__h.push(n))}function Z(e){return rt=5,st(function(){return{current:e}},[])}function st(e,t){var n=Ae(fe++,7);return Bt(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function we(){var e=Ae(fe++,11);if(!e.__){for(var t=q.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function Yo(){var e;do{for(;e=Lt.shift();)try{Me(e)}catch(n){E.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Dn.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Me),t.__h.some(Ht),t.__h=[]}catch(n){t.__h=[],E.__e(n,e.__v)}}}while(Lt.length)}E.__b=function(e){q=null,Pn&&Pn(e)},E.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Mn&&Mn(e,t)},E.__r=function(e){Tn&&Tn(e),fe=0;var t=(q=e.__c).__H;t&&(Nt==q?q.__h=[]:(t.__h.some(Me),t.__h.some(Ht),fe=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Nt=q},E.diffed=function(e){In&&In(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Nn(Dn.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Nt=q=null},E.__c=function(e,t){t.some(function(n){try{n.__h.some(Me),n.__h=n.__h.filter(function(o){return!o.__||Ht(o)})}catch(o){n.__h=[function(){throw o}]}}),Rn&&Rn(e,t)},E.unmount=function(e){jn&&jn(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,Nn(Lt.push(r))}else Me(r)}catch(s){t=s}}),o.__H=void 0,t&&E.__e(t,o.__v))};var An=typeof requestAnimationFrame=="function";function Zo(e){var t,n=function(){clearTimeout(o),An&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);An&&(t=requestAnimationFrame(n))}function Nn(e){e!=1&&qn==E.requestAnimationFrame||((qn=E.requestAnimationFrame)||Zo)(Yo)}function Me(e){var t=q,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),q=t}function Ht(e){var t=q;e.__c=e.__(),q=t}function Bt(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!Dt(n,e[o])})}function Hn(e,t){return typeof t=="function"?t(e):t}var Xo=Symbol.for("preact-signals");function lt(){if(X>1)X--;else{var e,t=!1;for((function(){var r=at;for(at=void 0;r!==void 0;){var s=r.S;if(s.v===r.v)for(var i=s.t;i!==void 0;i=i.x)i.i===r.i&&(i.i=s.i);r=r.o}})();De!==void 0;){var n=De;for(De=void 0,it++;n!==void 0;){var o=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&Fn(n))try{n.c()}catch(r){t||(e=r,t=!0)}n=o}}if(it=0,X--,t)throw e}}function ke(e){if(X>0)return e();Ft=++er,X++;try{return e()}finally{lt()}}var Ne,O=void 0;function Le(e){var t=O,n=Ne;O=void 0,Ne=void 0;try{return e()}finally{O=t,Ne=n}}var De=void 0,X=0,it=0,er=0,Ft=0,at=void 0,ct=0;function Bn(e){if(O!==void 0){var t=e.n;if(t===void 0||t.t!==O)return t={i:0,S:e,p:O.s,n:void 0,t:O,e:void 0,x:void 0,r:t},O.s!==void 0&&(O.s.n=t),O.s=t,e.n=t,32&O.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=O.s,t.n=void 0,O.s.n=t,O.s=t),t}}function T(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}T.prototype.brand=Xo;T.prototype.h=function(){return!0};T.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:Le(function(){var o;(o=t.W)==null||o.call(t)}))};T.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,o=e.x;n!==void 0&&(n.x=o,e.e=void 0),o!==void 0&&(o.e=n,e.x=void 0),e===this.t&&(this.t=o,o===void 0&&Le(function(){var r;(r=t.Z)==null||r.call(t)}))}};T.prototype.subscribe=function(e){var t=this;return D(function(){var n=t.value;Le(function(){return e(n)})},{name:"sub"})};T.prototype.valueOf=function(){return this.value};T.prototype.toString=function(){return this.value+""};T.prototype.toJSON=function(){return this.value};T.prototype.peek=function(){var e=this;return Le(function(){return e.value})};Object.defineProperty(T.prototype,"value",{get:function(){var e=Bn(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(it>100)throw new Error("Cycle detected");(function(n){X!==0&&it===0&&n.l!==Ft&&(n.l=Ft,at={S:n,v:n.v,i:n.i,o:at})})(this),this.v=e,this.i++,ct++,X++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{lt()}}}});function C(e,t){return new T(e,t)}function Fn(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function Un(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function Kn(e){for(var t=e.s,n=void 0;t!==void 0;){var o=t.p;t.i===-1?(t.S.U(t),o!==void 0&&(o.n=t.n),t.n!==void 0&&(t.n.p=o)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=o}e.s=n}function me(e,t){T.call(this,void 0,t),this.x=e,this.s=void 0,this.g=ct-1,this.f=4}me.prototype=new T;me.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===ct))return!0;if(this.g=ct,this.f|=1,this.i>0&&!Fn(this))return this.f&=-2,!0;var e=O;try{Un(this),O=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return O=e,Kn(this),this.f&=-2,!0};me.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}T.prototype.S.call(this,e)};me.prototype.U=function(e){if(this.t!==void 0&&(T.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};me.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(me.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=Bn(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function I(e,t){return new me(e,t)}function Wn(e){var t=e.j;if(e.j=void 0,typeof t=="function"){X++;var n=O;O=void 0;try{t()}catch(o){throw e.f&=-2,e.f|=8,Ut(e),o}finally{O=n,lt()}}}function Ut(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,Wn(e)}function tr(e){if(O!==this)throw new Error("Out-of-order effect");Kn(this),O=e,this.f&=-2;try{8&this.f&&Ut(this)}finally{lt()}}function Se(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,Ne&&Ne.push(this)}Se.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};Se.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,Wn(this),Un(this),X++;var e=O;return O=this,tr.bind(this,e)};Se.prototype.N=function(){2&this.f||(this.f|=2,this.u=De,De=this)};Se.prototype.d=function(){this.f|=8,1&this.f||Ut(this)};Se.prototype.dispose=function(){this.d()};function D(e,t){var n=new Se(e,t);try{n.c()}catch(r){throw n.d(),r}var o=n.d.bind(n);return o[Symbol.dispose]=o,o}var Gn,pt,ut,nr=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var Vn=[];D(function(){Gn=this.N})();function Oe(e,t){b[e]=t.bind(null,b[e]||function(){})}function He(e){if(ut){var t=ut;ut=void 0,t()}ut=e&&e.S()}function Jn(e){var t=this,n=e.data,o=Kt(n);o.name="ReactiveDom",o.value=n;var r=st(function(){for(var a=t,l=t.__v;l=l.__;)if(l.__c){l.__c.__$f|=4;break}var d=I(function(){var u=o.value.value;return u===0?0:u===!0?"":u||""}),p=I(function(){return!Array.isArray(d.value)&&!qt(d.value)}),h=D(function(){if(this.N=zn,p.value){var u=d.value;a.__v&&a.__v.__e&&a.__v.__e.nodeType===3&&(a.__v.__e.data=u)}}),m=t.__$u.d;return t.__$u.d=function(){h(),m.call(this)},[p,d]},[]),s=r[0],i=r[1];return s.value?i.peek():i.value}Jn.displayName="ReactiveTextNode";Object.defineProperties(T.prototype,{constructor:{configurable:!0,value:ot(de,null).constructor},type:{configurable:!0,value:Jn},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});Oe("__b",function(e,t){if(He(),pt=void 0,typeof t.type=="string"){var n,o=t.props;for(var r in o)if(r!=="children"){var s=o[r];s instanceof T&&(n||(t.__np=n={}),n[r]=s,o[r]=s.peek())}}e(t)});Oe("__r",function(e,t){if(e(t),t.type!==de){He();var n,o=t.__c;o&&(o.__$f&=-2,(n=o.__$u)===void 0&&(o.__$u=n=(function(r,s){var i;return D(function(){i=this},{name:s}),i.c=r,i})((function(r){return function(){var s;nr&&((s=this.y)==null||s.call(this)),r.__$f|=1,r.setState({})}})(o),typeof t.type=="function"?t.type.displayName||t.type.name:""))),pt=o,He(n)}});Oe("__e",function(e,t,n,o){He(),pt=void 0,e(t,n,o)});Oe("diffed",function(e,t){He(),pt=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var o=t.__np,r=t.props,s=n.U;if(s)for(var i in s){var a=s[i];a===void 0||o&&i in o||(a.d(),s[i]=void 0)}if(o){s||(s={},n.U=s);for(var l in o){var d=s[l],p=o[l];d===void 0?(d=or(n,l,p,r),s[l]=d):d.o(p,r)}}}e(t)});function or(e,t,n,o){var r=t in e&&e.ownerSVGElement===void 0,s=C(n);return{o:function(i,a){s.value=i,o=a},d:D(function(){this.N=zn;var i=s.value.value;o[t]!==i&&(o[t]=i,r?e[t]=i:i!=null&&(i!==!1||t[4]==="-")?e.setAttribute(t,i):e.removeAttribute(t))})}}Oe("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var o=n.U;if(o){n.U=void 0;for(var r in o){var s=o[r];s&&s.d()}}}var i=t.__np;if(i){var a=t.props;for(var l in i)a[l]=i[l]}t.__np=void 0}else{var d=t.__c;if(d){d.__$f|=8;var p=d.__$u;p&&(d.__$u=void 0,p.d())}}e(t)});Oe("__h",function(e,t,n,o){o<3&&(t.__$f|=2),e(t,n,o)});xe.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,o=n&&n.s!==void 0;for(var r in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var s=2&this.__$f;if(!(o||s||4&this.__$f)||1&this.__$f)return!0}else if(!(o||4&this.__$f)||3&this.__$f)return!0;for(var i in e)if(i!=="__source"&&e[i]!==this.props[i])return!0;for(var a in this.props)if(!(a in e))return!0;return!1};function Kt(e,t){return st(function(){return C(e,t)},[])}var rr=function(e){queueMicrotask(function(){queueMicrotask(e)})};function sr(){ke(function(){for(var e;e=Vn.shift();)Gn.call(e)})}function zn(){Vn.push(this)===1&&(b.requestAnimationFrame||rr)(sr)}var Yn=function(e,t,n,o){var r;t[0]=0;for(var s=1;s<t.length;s++){var i=t[s++],a=t[s]?(t[0]|=i?1:2,n[t[s++]]):t[++s];i===3?o[0]=a:i===4?o[1]=Object.assign(o[1]||{},a):i===5?(o[1]=o[1]||{})[t[++s]]=a:i===6?o[1][t[++s]]+=a+"":i?(r=e.apply(a,Yn(e,a,n,["",null])),o.push(r),a[0]?t[0]|=2:(t[s-2]=0,t[s]=r)):o.push(a)}return o},Qn=new Map;function Zn(e){var t=Qn.get(this);return t||(t=new Map,Qn.set(this,t)),(t=Yn(this,t.get(e)||(t.set(e,t=(function(n){for(var o,r,s=1,i="",a="",l=[0],d=function(m){s===1&&(m||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?l.push(0,m,i):s===3&&(m||i)?(l.push(3,m,i),s=2):s===2&&i==="..."&&m?l.push(4,m,0):s===2&&i&&!m?l.push(5,0,!0,i):s>=5&&((i||!m&&s===5)&&(l.push(s,0,i,r),s=6),m&&(l.push(s,m,0,r),s=6)),i=""},p=0;p<n.length;p++){p&&(s===1&&d(),d(p));for(var h=0;h<n[p].length;h++)o=n[p][h],s===1?o==="<"?(d(),l=[l],s=3):i+=o:s===4?i==="--"&&o===">"?(s=1,i=""):i=o+i[0]:a?o===a?a="":i+=o:o==='"'||o==="'"?a=o:o===">"?(d(),s=1):s&&(o==="="?(s=5,r=i,i=""):o==="/"&&(s<5||n[p][h+1]===">")?(d(),s===3&&(l=l[0]),s=l,(l=l[0]).push(2,0,s),s=0):o===" "||o==="	"||o===`
`||o==="\r"?(d(),s=2):i+=o),s===3&&i==="!--"&&(s=4,l=l[0])}return d(),l})(e)),t),arguments,[])).length>1?t:t[0]}var c=Zn.bind(ot),dt=C("");function ie(e){dt.value=dt.value===e?`${e} `:e}var ft=({method:e})=>c`<span class="method" style=${{"--tone":`var(--${e.toLowerCase()})`}}>${e}</span>`,Xn=({kind:e,children:t})=>{let n={background:`var(--${e}-paper, var(--ground))`,color:`var(--${e}-ink)`};return c`<span class="badge" style=${n}>${t}</span>`};function mt({of:e,all:t=!1}){let{deprecated:n,"x-deprecated-sunset":o,"x-stability":r}=e;return c`
    ${n&&c`<${Xn} kind="warn">deprecated${o&&`, ends ${o}`}<//>`}
    ${r&&c`<span class="quiet">${r}</span>`}
    ${t&&!r&&!n&&c`<${Xn} kind="stable">stable<//>`}`}var Q=({title:e,isOpen:t,children:n})=>c`<details open=${t}><summary>${e}</summary>${n}</details>`,K=({id:e,title:t})=>c`<a class="anchor" href="#${e}" aria-label=${`Link to ${t}`}>#</a>`,Be=({id:e,title:t,children:n})=>c`<details class="group" id=${e} open>
    <summary><h2>${t}</h2></summary>
    ${n}
  </details>`,L=new URL("v1",globalThis.document?.baseURI??"http://localhost/").href;var{rawJSON:eo}=JSON;function to(e,t){let n=typeof e=="number"?t.source:e;return typeof n=="string"&&/^-?(?:0|[1-9][0-9]*)$/.test(n)?BigInt(n):void 0}var W=C({}),ir=(e,t,n)=>typeof t=="number"&&n&&!Number.isSafeInteger(t)?to(t,n)??t:t,oo=e=>JSON.parse(e,ir),he=(e,t=2)=>JSON.stringify(e,(n,o)=>typeof o=="bigint"?eo(String(o)):o,t),H=e=>typeof e=="string"?e:he(e,0),ae=e=>typeof e=="object"&&e!==null;function x(e){let t=typeof e=="object"?e:{},n=new Set;for(;typeof t.$ref=="string"&&!n.has(t.$ref);){let{$ref:o,...r}=t;n.add(o);let s=o.split("/").slice(1),i=l=>decodeURIComponent(l).replaceAll("~1","/").replaceAll("~0","~");t={...s.reduce((l,d)=>ae(l)?l[i(d)]:void 0,W.value),...r}}return t}var Ue=e=>typeof e=="object"?/^#\/components\/schemas\/([^/]+)$/.exec(e.$ref??"")?.[1]:void 0,ar=["get","put","post","delete","options","head","patch","trace"],Fe=e=>(e.toLowerCase().match(/[\p{L}\p{N}]+/gu)??[]).join("-"),cr="page reference introduction contents search key key-state key-help common-errors".split(" "),no={name:"webhook events",description:"What the service sends to your webhooks."},lr=e=>Object.keys(e).length===0,ur=e=>e.name!==void 0&&e.in!==void 0,G=I(()=>{let{info:e={},tags:t=[],paths:n={},webhooks:o={},components:r={}}=W.value,s=new Set(cr),i=u=>{let f=u;for(let $=2;s.has(f);$++)f=`${u}-${$}`;return s.add(f),f},a=(u,f)=>Object.entries(u).flatMap(([$,_])=>{let{parameters:g=[],...y}=x(_);return ar.flatMap(w=>{let v=y[w];if(!v)return[];let oe=[...g,...v.parameters??[]].map(U=>x(U)).filter(ur);return{id:i(v.operationId??Fe(`${w} ${$}`)),title:v.summary??v.operationId??`${w.toUpperCase()} ${$}`,method:w.toUpperCase(),path:$,tag:f?no.name:v.tags?.[0]??"other",isWebhook:f,node:v,parameters:[...new Map(oe.map(U=>[`${U.in} ${U.name}`,U])).values()]}})}),l=[...a(n,!1),...a(o,!0)],d=lr(o)?t:[...t,no],p=new Map(d.map(u=>[u.name,{...u,operations:[]}]));for(let u of l){let f=p.get(u.tag)??{name:u.tag,operations:[]};p.set(f.name,f),f.operations.push(u)}let[h="",...m]=(e.description??"").split(/^## /m);return{introduction:h,operations:l,groups:[...p.values()].map(u=>({...u,id:i(Fe(`tag ${u.name}`))})),sections:m.map(u=>{let[f="",...$]=u.split(`
`);return{id:i(Fe(f)),title:f,text:$.join(`
`)}}),schemas:Object.entries(r.schemas??{}).map(([u,f])=>({id:i(`schema-${u}`),name:u,node:f}))}}),ro=e=>G.value.schemas.find(t=>t.name===e)?.id;function Ce({example:e,examples:t,schema:n}){if(e!==void 0)return[{name:"example",value:e}];let o=Object.entries(t??{}).map(([i,a])=>({name:i,...x(a)}));if(o.length>0)return o;let{example:r,examples:s=[r]}=x(n);return s.filter(i=>i!==void 0).map(i=>({name:"example",value:i}))}function ee({node:e}){let t=e.security??W.value.security??[];return t.length===0||t.some(o=>Object.keys(o).length===0)?void 0:[...new Set([e["x-scope"]??[],...t.map(o=>Object.values(o))].flat(2))]}function Ee(){let t=Object.values(W.value.components?.securitySchemes??{}).map(n=>x(n)).find(({type:n,in:o})=>n==="http"||o==="header")??{};return t.type==="apiKey"?{...t,header:t.name??"",before:""}:{...t,header:"Authorization",before:"Bearer "}}var B="petstore.key";function io(e){try{return window[e]}catch{return}}var Wt=io("sessionStorage"),V=io("localStorage"),R=C(Wt?.getItem(B)??V?.getItem(B)??null),_e=C(R.value!==null&&V?.getItem(B)===R.value),Ke=new BroadcastChannel(B),so="";function ao(e){Wt?.setItem(B,e),ke(()=>{R.value=e,_e.value=V?.getItem(B)===e})}function Gt(e,t){t?V?.setItem(B,e):V?.getItem(B)===e&&V.removeItem(B),ao(e),Ke.postMessage(e)}function ht(){for(let e of[Wt,V])e?.getItem(B)===R.value&&e.removeItem(B);ke(()=>{R.value=null,_e.value=!1})}function co(){ht(),V?.removeItem(B),Ke.postMessage(null)}function lo(e){Ke.onmessage=({data:t})=>{t===null?(e(),ht()):t!==so?(R.value===null||R.value===t)&&ao(t):R.value!==null&&Ke.postMessage(R.value)},R.value===null&&Ke.postMessage(so)}var pr=["async","await","const","defer","export","false","for","from","func","if","import","in","let","new","nil","None","null","package","range","return","true","type","undefined","var","with"],dr={comment:/(?<=^|\s)(?:#|\/\/).*/,string:/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/,number:/\b\d[\d._]*\b/,word:new RegExp(`\\b(?:${pr.join("|")})\\b`)},fr=new RegExp(Object.entries(dr).map(([e,{source:t}])=>`(?<${e}>${t})`).join("|"),"gm"),mr=3e4;function hr(e){if(e.length>mr)return e;let t=[],n=0;for(let{0:o,index:r,groups:s={}}of e.matchAll(fr)){let i=Object.keys(s).find(l=>s[l]!==void 0),a=i==="string"&&/^\s*:/.test(e.slice(r+o.length,r+o.length+9));t.push(e.slice(n,r),c`<span class=${a?"member":i}>${o}</span>`),n=r+o.length}return[...t,e.slice(n)]}async function _r(e){try{await navigator.clipboard.writeText(e)}catch{let t=Object.assign(document.createElement("textarea"),{value:e});document.body.append(t),t.select(),document.execCommand("copy"),t.remove()}}function $r({text:e,what:t}){let[n,o]=N(!1),r=async()=>{await _r(e),o(!0),ie(`Copied ${t}`)};return c`<button
    type="button"
    class="copy"
    aria-label=${`Copy ${t}`}
    onClick=${r}
    onBlur=${()=>o(!1)}
  >
    ${n?"Copied":"Copy"}
  </button>`}var $e=({text:e,what:t})=>c`<pre tabindex="0" role="group" aria-label=${t}><code>${hr(e)}</code></pre>`,uo="petstore.language",Vt=C(V?.getItem(uo)??"");D(()=>{Vt.value&&V?.setItem(uo,Vt.value)});function ye({title:e,items:t,isSample:n=!1}){let o=we(),r=Kt(""),s=n?Vt:r,i=t.find(({name:m})=>m===s.value)??t[0],a=e??"Sample",l=m=>{let u={ArrowRight:1,ArrowLeft:-1}[m.key];if(!u)return;m.preventDefault();let f=m.currentTarget;s.value=t.at((t.indexOf(i)+u)%t.length)?.name??"",requestAnimationFrame(()=>f.querySelector("[aria-selected=true]")?.focus())},d=t.length>1,p=({name:m},u)=>c`<button
      type="button"
      role="tab"
      id="${o}-${u}"
      aria-selected=${m===i.name}
      aria-controls=${`${o}-panel`}
      tabindex=${m===i.name?0:-1}
      onClick=${()=>s.value=m}
    >
      ${m}
    </button>`,h=()=>c`<div role="tablist" aria-label=${a} onKeyDown=${l}>${t.map(p)}</div>`;return c`<section class="card">
    <div class="bar">
      ${e&&c`<h4>${e}</h4>`}
      ${d?h():c`<span class="quiet">${i.name}</span>`}
      <${$r} text=${i.text} what=${`${a}: ${i.name}`} />
    </div>
    <div
      id="${o}-panel"
      role=${d?"tabpanel":void 0}
      aria-labelledby=${d?`${o}-${t.indexOf(i)}`:void 0}
    >
      <${$e} text=${i.text} what=${`${a}: ${i.name}`} />
    </div>
  </section>`}var yr=new RegExp([/(?<tick>`+)(?<code>.+?)\k<tick>/,/\*\*(?<strong>.+?)\*\*/,/(?<![\w*])(?<star>[*_])(?=\S)(?<em>.+?)(?<=\S)\k<star>(?![\w*])/,/\[(?<label>[^\]]+)\]\((?<target>[^)\s]+)\)/,/<(?<address>https?:[^>\s]+)>/,/\\(?<escaped>[\\`*_[\]<>|#{}()+.!-])/].map(({source:e})=>e).join("|"),"gs"),fo=e=>/^(?:https?|mailto):$/.test(URL.parse(e,"http://localhost")?.protocol??""),vr=e=>e.split(/(?<=\w[_/?&])/).flatMap((t,n)=>n>0?[c`<wbr />`,t]:t),qe=({to:e,children:t})=>e&&fo(e)?c`<a href=${e}>${t}</a>`:t;function F(e){let t=[],n=0;for(let o of e.matchAll(yr)){let{code:r,strong:s,em:i,label:a="",target:l="",address:d,escaped:p}=o.groups??{};t.push(e.slice(n,o.index)),n=o.index+o[0].length,r!==void 0?t.push(c`<code>${vr(r.replaceAll("\\|","|"))}</code>`):s!==void 0?t.push(c`<strong>${F(s)}</strong>`):i!==void 0?t.push(c`<em>${F(i)}</em>`):d!==void 0?t.push(c`<a href=${d}>${d}</a>`):p!==void 0?t.push(p):t.push(fo(l)?c`<a href=${l}>${F(a)}</a>`:o[0])}return[...t,e.slice(n)]}var Jt=e=>e.trim().replace(/^\||(?<!\\)\|$/g,"").split(/(?<!\\)\|/).map(t=>t.trim()),_t=/^ {0,3}(?:[-*+]|\d+[.)]) +/,gr=/^ {0,3}(?:```|~~~|#{1,6} |> ?|(?:[-*+]|1[.)]) |\|)/,zt=/^ {0,3}> ?/,br=e=>/^ {0,3}([-*_])(?: *\1){2,} *$/.test(e),Qt=/^ {0,3}(```|~~~) *(\S*) *(.*)/;function We(e,t){let n=e.findIndex(o=>!t(o));return e.splice(0,n<0?e.length:n)}function po(e,t){let[,n,o,r]=Qt.exec(e)??[],s=We(t,i=>i.trim()!==n).join(`
`);return t.shift(),{name:r||o||"",text:s,isNamed:!!r}}function xr(e,t,n){if(Qt.test(e)){let{isNamed:i,...a}=po(e,t),l=[a];for(;i&&t[0]===""&&Qt.test(t[1]??"");)l.push(po(t.splice(0,2).join(""),t));return c`<${ye} isSample=${i} items=${l} />`}let[,o,r=""]=/^ {0,3}(#{1,6}) +(.*?) *#*$/.exec(e)??[];if(o)return c`<${`h${Math.min(6,n+o.length)}`}>${F(r)}<//>`;if(br(e))return c`<hr />`;if(zt.test(e)){let i=[e,...We(t,a=>zt.test(a))];return c`<blockquote>${Yt(i.map(a=>a.replace(zt,"")),n)}</blockquote>`}if(e.includes("|")&&/^ *\|?(?: *:?-+:? *\|)+ *:?-*:? *$/.test(t[0]??"")){let[,...i]=We(t,a=>a.includes("|"));return c`<div class="table" tabindex="0" role="group" aria-label=${Jt(e).join(", ")}><table>
      <thead><tr>${Jt(e).map(a=>c`<th scope="col">${F(a)}</th>`)}</tr></thead>
      <tbody>${i.map(a=>c`<tr>${Jt(a).map(l=>c`<td>${F(l)}</td>`)}</tr>`)}</tbody>
    </table></div>`}if(_t.test(e))return wr(e,t,n);let s=[e,...We(t,i=>i.trim()!==""&&!gr.test(i))];return c`<p>${F(s.join(`
`))}</p>`}function wr(e,t,n){let o=new RegExp(`^ {${e.search(/\S/)}} {2,4}(?=\\S)`),r=[[e.replace(_t,"")]];for(let i of We(t,a=>_t.test(a)||o.test(a)))o.test(i)?r.at(-1)?.push(i.replace(o,"")):r.push([i.replace(_t,"")]);let s=r.map(i=>c`<li>${i.length>1?Yt(i,n):F(i.join(""))}</li>`);return/^ *\d/.test(e)?c`<ol>${s}</ol>`:c`<ul>${s}</ul>`}function Yt(e,t){let n=[];for(let o=e.shift();o!==void 0;o=e.shift())o.trim()!==""&&n.push(xr(o,e,t));return n}function j({text:e="",top:t=4}){let n=Math.min(...(e.match(/^ {0,3}#{1,6}(?= )/gm)??[]).map(o=>o.trim().length));return Yt(e.split(`
`),t-n)}var te=C([]);function kr(e){let[t="",...n]=e.split(`
`);return{id:Fe(t),title:t,text:n.join(`
`)}}async function mo(){let{href:e=""}=document.querySelector("link[rel=help]")??{},t=await fetch(e).catch(()=>{}),n=t?.ok?await t.text():`
## Guides
They could not be loaded. Reload the page to try again.`,[,...o]=n.replaceAll("http://127.0.0.1:8080/v1",L).replaceAll("http://127.0.0.1:8080/",`${new URL(".",L)}`).split(/^## /m);te.value=o.map(kr)}function ho({onDraw:e}){return Ln(e,[te.value]),te.value.length===0?null:c`<${Be} title="Guides">${te.value.map(({id:t,title:n,text:o})=>c`<section class="part guide" key=${t} id=${t}>
      <h3>${n} <${K} id=${t} title=${n} /></h3>
      <div class="wide"><${j} text=${o} /></div>
    </section>`)}<//>`}var A=C("");D(()=>{R.value!==null&&(A.value=R.value)});var $o=()=>{A.value="",ne.value={}};lo($o);var ne=C({}),Sr=I(()=>{let{"x-pattern":e="^[!-~]+$"}=Ee();return new RegExp(e)}),_o=I(()=>{let e=({parameters:n})=>!n.some(({required:o})=>o),t=n=>n.method==="GET"&&ee(n)?.length===0&&e(n);return G.value.operations.find(n=>t(n)&&!n.isWebhook)}),Or=()=>{$o(),co()},$t=e=>{ne.value={of:A.value,problem:e}},Zt=()=>{let{header:e,before:t}=Ee();return A.value===""?[]:[[e,t+A.value]]};function Xt(e){let t;try{t=JSON.parse(e)}catch{}A.value===R.value&&ht(),$t(`The service refuses this key. ${ae(t)?t.message:""}`)}async function yo(){let e=A.value;if(e===""||ne.value.of===e)return;if(!Sr.value.test(e))return $t("This is not a whole key: its form is wrong.");let t={of:e};if(ne.value=t,!_o.value)return;let n=await fetch(L+_o.value.path,{headers:Zt()}).catch(()=>{});!n||ne.value!==t||(n.status===401?Xt(await n.text()):ne.value={of:e,isAccepted:n.ok},n.ok&&Gt(e,_e.value&&R.value===e))}var Cr=({apiKey:e})=>c`<label>
  <input
    type="checkbox"
    checked=${_e.value}
    onChange=${()=>Gt(e,!_e.value)}
  /> Remember it<span class="hidden"> on this device</span>
</label>`;function en({id:e,isShown:t=!1}){let n=({currentTarget:o})=>{A.value=o.value.trim(),ne.value={}};return c`<input
    id=${e}
    type="text"
    class=${t?"":"concealed"}
    placeholder="Enter a key to try the operations"
    maxlength="200"
    autocomplete="off"
    autocapitalize="off"
    spellcheck=${!1}
    aria-describedby="key-state key-help"
    aria-invalid=${!!ne.value.problem}
    value=${A.value}
    onInput=${n}
    onChange=${yo}
  />`}function vo(){let[e,t]=N(!1),{problem:n,isAccepted:o}=ne.value,r=l=>{l.preventDefault(),yo()},s=o?"The service accepts this key.":"Calls from this page use this key.",i=_e.value?"It is kept until you sign out.":"It is kept until the last tab is closed.",a=n??(A.value&&(A.value===R.value?`${s} ${i}`:s));return c`<form class="key" autocomplete="off" onSubmit=${r}>
    <label for="key">API key</label>
    <${en} id="key" isShown=${e} />
    <button type="button" onClick=${()=>t(!e)}>
      ${e?"Hide":"Show"}<span class="hidden"> the key</span>
    </button>
    ${R.value!==null&&c`<button type="button" onClick=${Or}>Sign out</button>`}
    <p id="key-state" role="status" class=${n?"problem":"quiet"}>
      ${a} ${!n&&A.value===R.value&&c`<${Cr} apiKey=${A.value} />`}
    </p>
    <div id="key-help" class="quiet"><${j} text=${Ee().description} /></div>
  </form>`}var go=e=>({curl:Er(e),JavaScript:qr(e),Python:Pr(e),Go:Tr(e)});function Er({method:e,url:t,key:n,headers:o,body:r,isStream:s}){let i=l=>`'${l.replaceAll("'","'\\''")}'`;return[`curl -i ${s?"-N ":""}${e===(r===void 0?"GET":"POST")?"":`-X ${e} `}${i(t)}`,...n?[`-H "${n.header}: ${n.before}$PETSTORE_KEY"`]:[],...o.map(([l,d])=>`-H ${i(`${l}: ${d}`)}`),...r===void 0?[]:[`${r.startsWith("@")?"--data-raw":"-d"} ${i(r)}`]].join(` \\
  `)}function qr({method:e,url:t,key:n,headers:o,body:r,isStream:s}){let i=l=>/^\w+$/.test(l)?l:Y("'",l),a=[...n?[`${i(n.header)}: \`${n.before}\${process.env.PETSTORE_KEY}\``]:[],...o.map(([l,d])=>`${i(l)}: ${Y("'",d)}`)];return tn(`const response = await fetch(${Y("'",t)}, {`,`  method: '${e}',`,`  headers: { ${a.join(", ")} },`,r===void 0?void 0:`  body: ${Y("'",r)},`,"})",s?"for await (const text of response.body.pipeThrough(new TextDecoderStream())) process.stdout.write(text)":"console.log(response.status, await response.text())")}function Pr({method:e,url:t,key:n,headers:o,body:r}){let s=[...n?[`"${n.header}": "${n.before}" + os.environ["PETSTORE_KEY"]`]:[],...o.map(([i,a])=>`"${i}": ${Y('"',a)}`)];return tn("import os, urllib.error, urllib.request","","request = urllib.request.Request(",`    ${Y('"',t)},`,`    method="${e}",`,`    headers={${s.join(", ")}},`,r===void 0?void 0:`    data=${Y("'",r)}.encode(),`,")","try:","    response = urllib.request.urlopen(request)","except urllib.error.HTTPError as error:","    response = error",'print(response.status, end=" ")',"for line in response:",'    print(line.decode(), end="")')}function Tr({method:e,url:t,key:n,headers:o,body:r}){let s=r===void 0?"nil":`strings.NewReader(${Y("`",r)})`,i=[...n?[`"${n.header}", "${n.before}"+os.Getenv("PETSTORE_KEY")`]:[],...o.map(([a,l])=>`"${a}", ${Y('"',l)}`)];return tn("package main","","import (",'	"fmt"','	"io"','	"net/http"','	"os"',r===void 0?void 0:'	"strings"',")","","func main() {",`	request, _ := http.NewRequest("${e}", ${Y('"',t)}, ${s})`,...i.map(a=>`	request.Header.Set(${a})`),"	response, err := http.DefaultClient.Do(request)","	if err != nil {","		panic(err)","	}","	defer response.Body.Close()",'	fmt.Print(response.StatusCode, " ")',"	io.Copy(os.Stdout, response.Body)","}")}var tn=(...e)=>`${e.filter(t=>t!==void 0).join(`
`)}
`,Y=(e,t)=>t.includes(e)||/[\\\n]/.test(t)?JSON.stringify(t):e+t+e;var Ir={"date-time":"2026-11-15T09:30:00Z",date:"2026-11-15",uri:"https://example.com"};function nn(e,t=0){let n=x(e),{type:o,properties:r,items:s,format:i,minimum:a=1,oneOf:l,anyOf:d=l,allOf:p}=n,m=[n.const,n.enum?.[0],n.default,Ce({schema:n})[0]?.value].find($=>$!==void 0),u=$=>t<4?nn($,t+1):null;if(m!==void 0)return m;if(d)return u(d[0]);if(p)return Object.assign({},...p.map(u));let[f]=[o??(r?"object":s?"array":[])].flat();return f==="object"?Object.fromEntries(Object.entries(r??{}).map(([$,_])=>[$,u(_)])):f==="array"?s===void 0?[]:[u(s)]:f==="integer"||f==="number"?a:f==="null"?null:f==="boolean"||(Ir[i??""]??"text")}function Ge(e){let t=({name:r,summary:s,value:i})=>({name:s??r,text:typeof i=="string"?i:he(i)}),[n={name:"example",value:nn(e.schema)},...o]=Ce(e);return[t(n),...o.map(t)]}function on(e){let[t]=Ce(e),n=t?.value;return n===void 0?"":Array.isArray(n)?n.map(H).join(","):H(n)}var Pe=({schema:e,content:t})=>e??Object.values(t??{})[0]?.schema??{},Ve=({in:e,name:t})=>`${e} ${t}`,Rr={spaceDelimited:"%20",pipeDelimited:"|"};function jr(e,t){let{name:n,style:o="form",explode:r=o==="form"}=e,s=encodeURIComponent,{type:i}=x(Pe(e));if(i!=="array"||e.content)return`${s(n)}=${s(t)}`;let a=t.split(",").map(l=>s(l.trim()));return r?a.map(l=>`${s(n)}=${l}`).join("&"):`${s(n)}=${a.join(Rr[o]??",")}`}function rn(e,t,n){let o=e.parameters.map(l=>({parameter:l,text:t[Ve(l)]??""})),r=l=>o.filter(({parameter:d,text:p})=>d.in===l&&p!==""),s=e.path;for(let{parameter:l,text:d}of r("path"))s=s.replace(`{${l.name}}`,d.split(",").map(encodeURIComponent).join(","));let i=r("query").map(({parameter:l,text:d})=>jr(l,d)).join("&"),a=r("header").map(({parameter:l,text:d})=>[l.name,d]);return n&&a.push(["Content-Type",n.type]),{method:e.method,url:`${L}${s}${i&&`?${i}`}`,headers:a,body:n?.text}}function Mr(e){let t=e.parameters.filter(r=>r.required),n=Object.fromEntries(t.map(r=>[Ve(r),on(r)||H(nn(Pe(r)))])),[o]=Object.entries(x(e.node.requestBody).content??{});return rn(e,n,o&&{type:o[0],text:Ge(o[1])[0].text})}var Ar=({method:e,headers:t,body:n=""})=>[`${e} (your URL)`,...t.map(([o,r])=>`${o}: ${r}`),"",n].join(`
`);function bo(e,t){let n=t??Mr(e);if(e.isWebhook)return[{name:"HTTP",text:Ar(n)}];let o=e.node["x-codeSamples"]??[],[r,...s]=o.map(({lang:h,label:m,source:u})=>({name:m??h,text:u.trimEnd()}));if(r&&!t)return[r,...s];let i=n.body&&Nr(n.body),{curl:a,...l}=go({...n,body:i,key:ee(e)&&Ee()}),d=Object.entries(l).map(([h,m])=>({name:h,text:m.trimEnd()})),p=[r,...s].filter(h=>h&&h.name!=="curl"&&!(h.name in l));return[{name:"curl",text:a},...d,...p]}var xo=/"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|[^\s{}[\],:"]+/g;function wo(e){try{return JSON.parse(e),!0}catch{return!1}}var Nr=e=>wo(e)?(e.match(xo)??[]).map(t=>t.replace(/^([{[])\s+/,"$1")).join(""):e;function ko(e){if(!wo(e))return e;let t=0,n="",o=()=>`
${"  ".repeat(t)}`;for(let[r]of e.matchAll(xo))r==="{"||r==="["?(t++,n+=r+o()):r==="}"||r==="]"?(t--,n+=o()+r):r===","?n+=r+o():n+=r===":"?": ":r.replace(/^([{[])\s+/,"$1");return n}var Dr=3e4;async function Lr(e,t){let n=performance.now();try{let o=await fetch(e),r=await o.text();return{response:o,text:r,milliseconds:Math.round(performance.now()-n)}}catch{return{problem:t.aborted?"No response within 30 seconds.":"The service cannot be reached."}}}async function So({method:e,url:t,headers:n,body:o}){let r=AbortSignal.timeout(Dr),s;try{let i=[...n,...Zt()].map(([a,l])=>[a,l]);s=new Request(t,{method:e,headers:i,body:o??null,signal:r})}catch(i){return{problem:`A browser cannot send this: ${i instanceof Error?i.message:i}`}}return Lr(s,r)}var Hr=e=>`${new Blob([e]).size.toLocaleString("en")} bytes`;function Br({reply:{response:e,text:t,milliseconds:n}}){let o=e.headers.get("Content-Type")?.split(";")[0]??"text",r=[...e.headers].map(([s,i])=>`${s}: ${i}`);return c`<p class="outcome">
      <strong class=${e.ok?"good":"bad"}>${e.status} ${e.statusText}</strong>${" "}
      <span class="quiet">${n} ms · ${Hr(t)}</span>
    </p>
    ${t?c`<${ye} title="Body" items=${[{name:o,text:ko(t)}]} />`:c`<p class="quiet">The response has no body.</p>`}
    <${Q} title=${`Response headers (${r.length})`}>
      <${$e} what="Response headers" text=${r.join(`
`)} />
    <//>`}function Oo({outcome:e}){let t=Z(null);return z(()=>t.current?.scrollIntoView({block:"nearest"}),[e]),c`<div class="answer" ref=${t}>
    ${"problem"in e?c`<p class="outcome"><strong class="bad">${e.problem}</strong></p>`:c`<${Br} reply=${e} />`}
  </div>`}function Co({request:{method:e,url:t,body:n},onAgree:o,onCancel:r}){let s=Z(null);return z(()=>s.current?.focus(),[]),c`<div class="question" role="alertdialog" aria-label="Send it?">
    <p>This changes what the service stores. Send it?</p>
    <${$e} what="What is sent" text=${[`${e} ${t}`,...n?[n]:[]].join(`
`)} />
    <p class="actions">
      <button type="button" class="primary" ref=${s} onClick=${o}>Send it</button>${" "}
      <button type="button" onClick=${r}>Cancel</button>
    </p>
  </div>`}function Eo({node:e,isWebhook:t}){if(t)return"The service sends this request: it cannot be tried from here.";if(e["x-hideTryItPanel"])return e["x-hideTryItPanelReason"]??"The document disables the panel of this operation."}function Fr({parameter:e,isMissing:t,onInput:n}){let o=we(),r=x(Pe(e)),s=r.enum??(r.type==="boolean"?[!0,!1]:void 0),i=on(e),a={"aria-invalid":t,"aria-describedby":t?`${o}-problem`:void 0},l={id:o,name:Ve(e),required:e.required,onInput:n,...a},d=()=>c`<select ...${l}>
    <option value="">${e.required?"Choose":"Not set"}</option>
    ${s?.map(h=>c`<option selected=${e.required&&String(h)===i}>${String(h)}</option>`)}
  </select>`,p=()=>c`<input
    ...${l}
    autocomplete="off"
    autocapitalize="off"
    spellcheck=${!1}
    inputmode=${r.type==="integer"?"numeric":void 0}
    placeholder=${i&&`for example ${i}`}
  />`;return c`<div class="input">
    <label for=${o}>
      <code>${e.name}</code> <span class="quiet">${e.required?"required":""}</span>
    </label>
    ${s?d():p()}
    ${t&&c`<p class="problem" id="${o}-problem">Enter a value for ${e.name}.</p>`}
  </div>`}function Ur({body:e,isMissing:t,onInput:n,onDraw:o}){let r=we(),s=Object.entries(e.content??{}),[i,a]=N(s[0]?.[0]??""),l=Ge(e.content?.[i]??{}),[d,p]=N(0),{text:h}=l[d]??l[0],m=/^\{\s*"\w+Id": \d+\s*\}$/.test(h);z(o,[h]);let u=Math.min(14,h.split(`
`).length+1),f=({currentTarget:_})=>a(_.value),$=({currentTarget:_})=>p(Number(_.value));return c`<div class="input">
    <label for=${r}>Body <span class="quiet">${e.required?"required":""}</span></label>
    ${s.length>1&&c`<select name="type" aria-label="Media type" onInput=${f}>
        ${s.map(([_])=>c`<option>${_}</option>`)}
      </select>`}
    ${s.length===1&&c`<input type="hidden" name="type" value=${i} />`}
    ${l.length>1&&c`<select aria-label="Example" onInput=${$}>
        ${l.map(({name:_},g)=>c`<option value=${g} selected=${g===d}>${_}</option>`)}
      </select>`}
    <textarea
      key=${`${i} ${d}`}
      id=${r}
      name="body"
      rows=${u}
      spellcheck=${!1}
      autocomplete="off"
      required=${e.required}
      aria-invalid=${t}
      aria-describedby=${t?`${r}-problem`:void 0}
      onInput=${n}
      placeholder=${m&&`for example ${h}`}
      defaultValue=${m?"":h}
    />
    ${t&&c`<p class="problem" id="${r}-problem">Enter a body.</p>`}
  </div>`}var Kr=e=>Object.fromEntries([...new FormData(e)].map(([t,n])=>[t,String(n)]));function qo({operation:e,onRequest:t}){let n=Z(null),[o,r]=N([]),[s,i]=N(!1),[a,l]=N(),[d,p]=N(),[h,m]=N(()=>A.value===""&&ee(e)!==void 0),u=we(),f=e.node.requestBody&&x(e.node.requestBody),$=e.parameters.filter(k=>k.in!=="cookie"),_=k=>k.required||k.in!=="header",g=/^(?:GET|HEAD|OPTIONS|TRACE)$/.test(e.method),y=k=>{let{type:S="",body:M,...P}=Kr(k);return rn(e,P,M?{type:S,text:M}:void 0)},w=()=>{p(void 0),n.current&&t(y(n.current))};z(w,[]);let v=async k=>{if(k.preventDefault(),s)return;let S=k.currentTarget,P=[...S.querySelectorAll(":required")].filter(({value:Ie})=>Ie.trim()===""),Ot=A.value===""&&ee(e)!==void 0;Ot&&($t("Enter a key first."),m(!0)),r([...P.map(({name:Ie})=>Ie),...Ot?["key"]:[]]),P[0]?.focus();let _n=[...P.map(({name:Ie})=>Ie.replace(/^\w+ /,"")),...Ot?["API key"]:[]];if(_n.length>0)return ie(`Required and empty: ${_n.join(", ")}`);let $n=y(S);if(g)return oe($n);p($n)},oe=async k=>{p(void 0),i(!0);let S=await So(k);if(i(!1),l(S),"problem"in S)return ie(S.problem);let{response:M,milliseconds:P}=S;M.status===401&&Xt(S.text),ie(`Response ${M.status} ${M.statusText} after ${P} ms`)},U=k=>()=>r(o.filter(S=>S!==k)),le=k=>{let S=Ve(k);return c`<${Fr}
      key=${S}
      parameter=${k}
      isMissing=${o.includes(S)}
      onInput=${U(S)}
    />`},J=$.filter(k=>!_(k)),Qe=g?"It changes nothing.":"It changes what is stored there; you are asked before it is sent.";return c`<form class="panel" noValidate ref=${n} onInput=${w} onSubmit=${v}>
    <p class="quiet">The request goes to this service, <code>${new URL(L).host}</code>. ${Qe}</p>
    ${$.filter(_).map(le)}
    ${J.length>0&&c`<${Q} title="Optional headers">${J.map(le)}<//>`}
    ${f&&c`<${Ur}
        body=${f}
        isMissing=${o.includes("body")}
        onInput=${U("body")}
        onDraw=${w}
      />`}
    ${h&&c`<div class="input">
        <label for=${u}>API key</label>
        <${en} id=${u} />
        ${o.includes("key")&&A.value===""&&c`<p class="problem">It needs an API key.</p>`}
      </div>`}
    ${d&&c`<${Co} request=${d} onAgree=${()=>oe(d)} onCancel=${()=>p(void 0)} />`}
    <p class="actions"><button class="primary" aria-busy=${s}>${s?"Sending…":"Execute"}</button></p>
    ${a&&c`<${Oo} outcome=${a} />`}
  </form>`}var an=e=>!/^[123]/.test(e);function Wr(e,t){let{description:n="",content:o={},headers:r={}}=x(t),s=Object.entries(o),i=(l,d)=>he([l,l!=="schema"&&e,d],0),a=l=>d=>({kind:l,value:d,key:i(l,d)});return[...n.split(/\n{2,}/).map(a("paragraph")),...s.flatMap(([,l])=>Ce(l)).map(a("example")),...s.map(([l,{schema:d={}}])=>({type:l,schema:d})).map(a("schema")),...Object.entries(r).map(a("header"))]}var Po=(e,t)=>({status:e,paragraphs:t.flatMap(n=>n.kind==="paragraph"?[n.value]:[]),examples:t.flatMap(n=>n.kind==="example"?[n.value]:[]),schemas:t.flatMap(n=>n.kind==="schema"?[n.value]:[]),headers:t.flatMap(n=>n.kind==="header"?[n.value]:[])}),cn=I(()=>{let e=({responses:n={}})=>Object.entries(n).filter(([o])=>an(o)),t=({node:n})=>e(n).map(([o,r])=>({status:o,parts:Wr(o,r)}));return new Map(G.value.operations.map(n=>[n,t(n)]))}),sn=I(()=>{let e=new Map,t=[...cn.value.values()].flat().flatMap(({parts:r})=>r);for(let{key:r}of t)e.set(r,(e.get(r)??0)+1);let{length:n}=G.value.operations.filter(({isWebhook:r})=>!r),o=r=>r>2&&r*2>n;return new Set([...e].filter(([,r])=>o(r)).map(([r])=>r))});function yt(e){let t=(cn.value.get(e)??[]).map(({status:r,parts:s})=>{let i=s.some(({kind:l,key:d})=>l!=="header"&&sn.value.has(d)),a=s.filter(({key:l})=>!sn.value.has(l));return{isShared:i,...Po(r,a)}}),n=({paragraphs:r,examples:s,schemas:i})=>r.length+s.length+i.length>0,o=t.filter(r=>!n(r)).flatMap(({headers:r})=>r);return{own:t.filter(n),shared:t.filter(({isShared:r})=>r),headers:[...new Map(o)]}}var Te=I(()=>{let e=[...cn.value.values()].flat().sort((t,n)=>t.status.localeCompare(n.status));return[...Map.groupBy(e,({status:t})=>t)].map(([t,n])=>{let o=new Map(n.flatMap(({parts:r})=>r).map(r=>[r.key,r]));return Po(t,[...o.values()].filter(({key:r})=>sn.value.has(r)))}).filter(({paragraphs:t,examples:n})=>t.length+n.length>0)});var ln=(e,t)=>e.map((n,o)=>c`${o>0&&` ${t} `}<${ve} schema=${n} />`),Gr=({type:e,enum:t,properties:n,items:o,prefixItems:r})=>[e??t?.map(s=>typeof s)??(n?"object":o??r?"array":[])].flat();function ve({schema:e,isPlain:t}){let n=Ue(e);if(n)return t?n:c`<a href="#${ro(n)??""}">${n}</a>`;if(e===!1)return"nothing";let o=x(e),{format:r,items:s,prefixItems:i,allOf:a,not:l,oneOf:d,anyOf:p=d}=o;if(o.const!==void 0)return c`always <code>${H(o.const)}</code>`;if(p)return ln(p,"or");if(a)return ln(a,"and");let h=[...new Set(Gr(o))];if(h.length===0)return l?c`anything but <${ve} schema=${l} />`:"any value";let m=u=>u!=="array"||!s&&!i?u:c`array of ${ln(i??[s??{}],"then")}`;return c`${h.map((u,f)=>c`${f>0&&" or "}${m(u)}`)}${r&&` (${r})`}`}var Vr=(e,t,n)=>`${e===t?`exactly ${e}`:e===void 0?`at most ${t}`:t===void 0?`at least ${e}`:`${e} to ${t}`} ${(t??e)===1?n.slice(0,-1):n}`.trim(),To=[["minimum","maximum",""],["minLength","maxLength","characters"],["minItems","maxItems","items"],["minProperties","maxProperties","members"]],Je=e=>e.map((t,n)=>c`${n>0&&", "}<code>${H(t)}</code>`),un=e=>ae(e)?Object.values(e):[],Jr={exclusiveMinimum:e=>`more than ${e}`,exclusiveMaximum:e=>`less than ${e}`,multipleOf:e=>`a multiple of ${e}`,uniqueItems:e=>e===!0&&"no item twice",additionalProperties:e=>e===!1&&"no other members",readOnly:e=>e===!0&&"only in responses",writeOnly:e=>e===!0&&"only in requests",enum:e=>c`one of ${Je(un(e))}`,"x-extensible-enum":e=>c`one of ${Je(un(e))}, and others in the future`,example:e=>c`for example ${Je([e])}`,examples:e=>c`for example ${Je(un(e))}`},zr=new Set(["$ref $id $schema $defs type format title description properties required items prefixItems patternProperties","oneOf anyOf allOf const not deprecated x-stability x-deprecated-sunset",...To.map(([e,t])=>`${e} ${t}`)].flatMap(e=>e.split(" ")));function gt({schema:e,depth:t=0}){let n=x(e),o=Object.keys(n).filter(a=>!zr.has(a)),r=[...To.filter(([a,l])=>n[a]!==void 0||n[l]!==void 0).map(([a,l,d])=>Vr(n[a],n[l],d)),...o.map(a=>(Jr[a]??(l=>c`${a} ${Je([l])}`))(n[a]))].filter(Boolean),s=[n.items,...pn(n)].filter(a=>ae(a)&&t<3&&!ze(a)),i=r.map((a,l)=>c`${l>0&&" · "}${a}`);return c`${r.length>0&&c`<p class="limits quiet">${i}</p>`}
    ${s.map(a=>c`<${gt} schema=${a} depth=${t+1} />`)}`}var pn=({oneOf:e=[],anyOf:t=[],allOf:n=[],prefixItems:o=[]})=>[...e,...t,...n,...o];function ze(e,t=[]){if(typeof e!="object"||t.includes(e))return!1;let n=x(e);return n.properties||n.patternProperties||ae(n.additionalProperties)?!0:[n.items,...pn(n)].some(o=>ze(o,[...t,e]))}function dn({id:e,name:t,node:n,schema:o,isRequired:r,within:s}){let i={...x(o),...n};return c`<li class="field" id=${e}>
    <p class="name"><code>${t}</code> <span class="quiet"><${ve} schema=${o} /></span>
      ${r&&c`<span class="required">required</span>`}
      <${mt} of=${i} />
      ${e&&c`<${K} id=${e} title=${t} />`}
    </p>
    <${j} text=${i.description} />
    <${gt} schema=${o} />
    ${ze(o)&&c`<${Q} title=${c`Members of <code>${t}</code>`}>
        <${vt} schema=${o} within=${s} />
      <//>`}
  </li>`}function vt({schema:e,within:t=[]}){let n=Ue(e);if(n&&t.includes(n))return c`<p class="limits quiet">As above: <${ve} schema=${e} />.</p>`;let o=n?[...t,n]:t,r=x(e),{properties:s={},patternProperties:i={},required:a=[],items:l,additionalProperties:d}=r,p=[...Object.entries(s),...Object.entries(i).map(([f,$])=>[`/${f}/`,$]),...ae(d)?[["any other name",d]]:[]],h=pn(r).filter(f=>ze(f)),m=([f,$])=>c`<${dn}
    key=${f}
    name=${f}
    schema=${$}
    isRequired=${a.includes(f)}
    within=${o}
  />`,u=f=>{let{title:$=c`<${ve} schema=${f} isPlain />`,description:_}=x(f);return c`<${Q} title=${c`Members of ${$}`} isOpen=${!!r.allOf}>
      <${j} text=${_} />
      <${vt} schema=${f} within=${o} />
    <//>`};return c`
    ${p.length>0&&c`<ul class="fields">${p.map(m)}</ul>`}
    ${ze(l)&&c`<${vt} schema=${l} within=${o} />`}
    ${h.map(u)}`}var ce=({type:e,schema:t,isBrief:n=!1})=>c`<div class="body">
  <p class="name">${e&&c`<span class="quiet">${e}</span>`}<${ve} schema=${t} /></p>
  ${!Ue(t)&&c`<${j} text=${x(t).description} />`}
  ${!(n&&Ue(t))&&c`<${gt} schema=${t} /><${vt} schema=${t} />`}
</div>`,bt=({headers:e})=>c`<ul class="headers quiet">${e.map(([t,n])=>{let{description:o="",schema:r}=x(n);return c`<li>
      <code>${t}</code> ${r&&c`<span class="quiet"><${ve} schema=${r} /></span>`}${" "}
      ${F(o)}
      ${r&&c`<${gt} schema=${r} />`}
    </li>`})}</ul>`;var Qr=({headers:e})=>e.length>0&&c`<${Q} title=${`Headers (${e.length})`}><${bt} headers=${e} /><//>`;function Yr({status:e,response:t}){let{description:n,headers:o={},content:r={},links:s={}}=x(t);return c`<li class="response">
    <div class="status"><code>${e}</code><div><${j} text=${n} /></div></div>
    ${Object.entries(r).map(([i,a])=>c`<${ce} type=${i} schema=${a.schema??{}} />`)}
    ${Object.keys(s).length>0&&c`<p class="limits quiet">Links: ${Object.keys(s).join(", ")}</p>`}
    <${Qr} headers=${Object.entries(o)} />
  </li>`}function Io({error:e}){let{status:t,paragraphs:n,examples:o,schemas:r,headers:s}=e,a=[(o.length>0||r.length>0)&&"Body",s.length>0&&"headers"].filter(Boolean).join(" and "),l=d=>typeof d=="string"?d:he(d);return c`<li class="response">
    <div class="status"><code>${t}</code><div><${j} text=${n.join(`

`)} /></div></div>
    ${a!==""&&c`<${Q} title=${a.replace(/^h/,"H")}>
        ${r.map(({type:d,schema:p})=>c`<${ce} type=${d} schema=${p} isBrief />`)}
        ${o.map(({name:d,value:p})=>c`<${$e} what=${`Example ${d}`} text=${l(p)} />`)}
        <${bt} headers=${s} />
      <//>`}
  </li>`}function Ro({operation:e}){let n=Object.entries(e.node.responses??{}).filter(([a])=>!an(a)),{own:o,shared:r,headers:s}=yt(e),i=r.map(({status:a},l)=>c`${l>0&&", "}<a href="#common-errors">${a}</a>`);return c`
    <h4>Responses</h4>
    <ul class="responses">
      ${n.map(([a,l])=>c`<${Yr} status=${a} response=${l} />`)}
    </ul>
    ${o.length+r.length>0&&c`<h4>Errors</h4>`}
    <ul class="responses">${o.map(a=>c`<${Io} error=${a} />`)}</ul>
    ${r.length>0&&c`<p class="limits quiet">Common errors: ${i}.</p>`}
    ${s.length>0&&c`<p class="limits quiet">Errors of this operation may have these headers as well:</p>
        <${bt} headers=${s} />`}`}var jo=()=>Te.value.length>0&&c`<section class="part" id="common-errors">
    <h2>Common errors <${K} id="common-errors" title="common errors" /></h2>
    <div class="words">
      <p>
        Most operations may return these; each operation lists which.
        Errors of one operation are described with it.
      </p>
      <ul class="responses">${Te.value.map(e=>c`<${Io} error=${e} />`)}</ul>
    </div>
  </section>`;var Zr={path:"In the path",query:"In the query",header:"Headers",cookie:"Cookies"};function Xr({of:{id:e,parameters:t}}){let n=Map.groupBy(t,r=>r.in),o=r=>c`<${dn}
    key=${r.name}
    id=${`${e}-${r.in}-${r.name}`}
    name=${r.name}
    node=${r}
    schema=${Pe(r)}
    isRequired=${r.required}
  />`;return[...n].map(([r,s])=>c`<h4>${Zr[r]??r}</h4>
      <ul class="fields">${s.map(o)}</ul>`)}function es({node:e}){let{description:t,required:n,content:o={}}=x(e),r=Object.entries(o),s=r.map(([d])=>d),[i={},...a]=new Map(r.map(([,{schema:d={}}])=>[H(d),d])).values(),l=a.length===0?c`<${ce} type=${s.join(" or ")} schema=${i} />`:r.map(([d,{schema:p={}}])=>c`<${ce} type=${d} schema=${p} />`);return c`<h4>Body${!n&&", optional"}</h4>
    <${j} text=${t} />
    ${l}`}var ts=/^(?:operationId|tags|summary|description|parameters|requestBody|responses|security|deprecated|externalDocs)$/,ns=/^x-(?:stability|badges|deprecated-sunset|hideTryItPanel.*|explorer-enabled|fern-explorer|mcp|scope|codeSamples)$/;function os({operation:e}){let{node:t}=e,{externalDocs:n}=t,o=ee(e),r=(o??[]).filter(a=>!t.description?.includes(`\`${a}\``)),s=r.map(a=>c`<code>${a}</code> `),i=Object.entries(t).filter(([a])=>!ts.test(a)&&!ns.test(a));return c`<ul class="facts quiet">
    ${!o&&c`<li>Needs no key.</li>`}
    ${r.length>0&&c`<li>Needs a key with the scope ${s}</li>`}
    ${i.map(([a,l])=>c`<li><code>${a}</code> ${H(l)}</li>`)}
    ${n&&c`<li><${qe} to=${n.url}>${n.description??"More about it"}<//></li>`}
  </ul>`}function rs({node:e}){return Object.entries(e.responses??{}).filter(([t])=>/^[12]/.test(t)).flatMap(([t,n])=>Object.entries(x(n).content??{}).flatMap(([,o])=>Ge(o).map(({name:r,text:s},i,{length:a})=>({name:a>1?`${t} ${r}`:t,text:s}))))}function Mo({operation:e}){let{id:t,title:n,method:o,path:r,node:s}=e,[i,a]=N(!1),[l,d]=N(),p=bo(e,i?l:void 0),h=Eo(e),m=rs(e);return c`<article class="part operation" id=${t} aria-labelledby="${t}--title">
    <div class="words">
      <p class="path"><${ft} method=${o} /> <code class=${s.deprecated?"ended":""}>${r}</code></p>
      <h3 id="${t}--title">${n} <${K} id=${t} title=${n} /></h3>
      <p class="marks"><${mt} of=${s} all /></p>
      <${j} text=${s.description} />
      <${os} operation=${e} />
    </div>
    <div class="beside">
      ${h?c`<p class="reason quiet">${F(h)}</p>`:c`<section class="try">
            <button type="button" aria-expanded=${i} onClick=${()=>a(!i)}>
              Try it<span class="hidden">: ${n}</span>
            </button>
            ${i&&c`<${qo} operation=${e} onRequest=${d} />`}
          </section>`}
      <${ye} title="Request" isSample items=${p} />
      ${m.length>0&&c`<${ye} title="Response" items=${m} />`}
    </div>
    <div class="words details">
      <${Xr} of=${e} />
      ${s.requestBody&&c`<${es} node=${s.requestBody} />`}
      <${Ro} operation=${e} />
    </div>
  </article>`}var be=C("introduction"),xt=C(""),ge=C(!1),fn=I(()=>{let{groups:e,sections:t,schemas:n}=G.value;return[{id:"introduction",title:"Introduction",group:"About",text:G.value.introduction},...te.value.map(r=>({...r,group:"Guides"})),...e.flatMap(({name:r,operations:s})=>s.map(i=>({...i,group:r,text:is(i)}))),...Te.value.length>0?[ss()]:[],...t.map(r=>({...r,group:"For all operations"})),...n.map(({id:r,name:s,node:i})=>({id:r,title:s,group:"Schemas",text:as(i)}))].map(r=>{let s=`${r.title} ${r.path??""}`.toLowerCase();return{...r,heading:s,text:`${s} ${r.text}`.toLowerCase()}})}),mn=I(()=>fn.value.find(({id:e})=>e===be.value)?.title),ss=()=>({id:"common-errors",title:"Common errors",group:"For all operations",text:H(Te.value.map(({status:t,paragraphs:n})=>[t,n]))}),is=e=>{let{id:t,method:n,parameters:o,node:r}=e,s=o.map(({name:a,description:l})=>`${a} ${l}`),i=yt(e).own.map(({status:a,paragraphs:l})=>`${a} ${l}`);return[t,n,r.description,s,i].join(" ")},as=e=>{let{description:t,properties:n={}}=x(e);return`${t} ${Object.keys(n)}`},wt=I(()=>{let e=xt.value.toLowerCase().split(/\s+/).filter(Boolean),t=r=>e.every(s=>r.includes(s)),n=fn.value.filter(({text:r})=>t(r)),o=n.filter(({heading:r})=>t(r));return e.length===0?void 0:[...new Set([...o,...n])]}),Ao=I(()=>`${wt.value?.length} found`);function cs({entry:{id:e,title:t,method:n,node:o}}){let r=o?.["x-stability"];return c`<li><a
    href="#${e}"
    aria-current=${be.value===e?"true":void 0}
    onClick=${()=>ge.value=!1}
  >
    ${n&&c`<${ft} method=${n} />`}
    <span class="title ${o?.deprecated?"ended":""}">${t}</span>
    ${o?.deprecated&&c`<span class="mark">deprecated</span>`}
    ${o&&!r&&!o.deprecated&&c`<span class="mark">stable</span>`}
  </a></li>`}var kt=()=>document.querySelector("#search");function No(){ge.value=!0,requestAnimationFrame(()=>{kt()?.focus(),kt()?.select()})}function Do(){let e=Z(null);z(()=>{let s=e.current?.getBoundingClientRect(),i=e.current?.querySelector("[aria-current]")?.getBoundingClientRect();!s||!i||i.top>=s.top&&i.bottom<=s.bottom||e.current?.scrollBy(0,i.top-s.top-s.height/3)},[be.value]);let t=({currentTarget:s})=>{xt.value=s.value,wt.value&&ie(Ao.value)},n=s=>{let i=[...e.current?.querySelectorAll("a")??[]],a=i.findIndex(d=>d.matches(":focus")),l=s.target===kt();if(s.key==="ArrowDown")i[a+1]?.focus();else if(s.key==="ArrowUp")(a>0?i[a-1]:kt())?.focus();else if(s.key==="Enter"&&l)i[0]?.click();else if(s.key==="Escape")xt.value="",ge.value=!1,s.currentTarget.querySelector(".menu")?.focus();else return;s.preventDefault()},o=wt.value?new Map([[Ao.value,wt.value]]):Map.groupBy(fn.value,({group:s})=>s),r=([s,i])=>c`<details key=${s} open>
    <summary><h2>${s}</h2></summary>
    <ul>${i.map(a=>c`<${cs} key=${a.id} entry=${a} />`)}</ul>
  </details>`;return c`<div class="side ${ge.value?"open":""}" onKeyDown=${n}>
    <button
      type="button"
      class="menu"
      aria-expanded=${ge.value}
      aria-controls="contents"
      onClick=${()=>ge.value=!ge.value}
    >
      Contents and search
    </button>
    <nav id="contents" aria-label="Contents">
      <label class="search"><span class="hidden">Search the reference</span>
        <input
          id="search"
          type="search"
          placeholder="Search"
          aria-keyshortcuts="/"
          autocomplete="off"
          value=${xt.value}
          onInput=${t}
        />
        <kbd aria-hidden="true">/</kbd>
      </label>
      <div class="list" ref=${e} tabindex="-1">${[...o].map(r)}</div>
    </nav>
  </div>`}function ls(){let{info:e={},servers:t=[]}=W.value,n=[["Version",e.version],...t.map(({url:r,description:s})=>[s??"Server",new URL(r,L).href.replace(/\/$/,"")])];n.some(([,r])=>r===L)||n.push(["Calls from this page",L]);let o=([r,s])=>c`<div><dt class="quiet">${r}</dt><dd><code>${s}</code></dd></div>`;return c`<dl class="addresses">${n.map(o)}</dl>`}function us(){let{contact:e,license:t,termsOfService:n}=W.value.info??{},o=e?.email&&c`<a href="mailto:${e.email}">${e.email}</a>`;return c`<p class="limits quiet">
    <a href="openapi.json">openapi.json</a>
    ${e&&c` · Contact: <${qe} to=${e.url}>${e.name??e.url}<//> ${o}`}
    ${t&&c` · License: <${qe} to=${t.url}>${t.name}<//>`}
    ${n&&c` · <${qe} to=${n}>Terms of service<//>`}
  </p>`}function ps(){let{introduction:e,groups:t,sections:n,schemas:o}=G.value;return c`
    <section class="part" id="introduction"><div class="words">
      <p class="lead quiet">${W.value.info?.summary}</p>
      <${j} text=${e} top=${2} />
      <${ls} />
      <${us} />
    </div></section>
    <${ho} onDraw=${Bo} />
    ${t.map(({id:r,name:s,description:i,operations:a})=>c`<${Be} id=${r} key=${r} title=${s}>
      <div class="words"><${j} text=${i} /></div>
      ${a.map(l=>c`<${Mo} key=${l.id} operation=${l} />`)}
    <//>`)}
    <${jo} />
    ${n.map(({id:r,title:s,text:i})=>c`<section class="part" key=${r} id=${r}>
        <h2>${s} <${K} id=${r} title=${s} /></h2>
        <div class="wide"><${j} text=${i} top=${3} /></div>
      </section>`)}
    ${o.length>0&&c`<${Be} title="Schemas">${o.map(({id:r,name:s,node:i})=>c`<section class="part schema" key=${r} id=${r}>
          <h3>${s} <${K} id=${r} title=${s} /></h3>
          <div class="words"><${ce} type="" schema=${i} /></div>
        </section>`)}<//>`}`}function Lo(){let e=Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop)+8,n=[...document.querySelectorAll("main .part[id]")].find(o=>o.getBoundingClientRect().bottom>e);return n&&{id:n.id,top:n.getBoundingClientRect().top}}var Ho=()=>{be.value=Lo()?.id??be.value},ds=()=>{te.value.length>0&&history.replaceState(Lo(),"")},hn=C("");function fs(e){try{return decodeURIComponent(e)}catch{return e}}function Bo(){let{id:e=fs(location.hash.slice(1)).replace(/^\/[^/]+\//,""),top:t}=history.state??{},n=document.getElementById(e);for(let o=n?.closest("details");o;o=o.parentElement?.closest("details"))o.open=!0;hn.value=n||e===""||te.value.length===0?"":e,n?.scrollIntoView(),n&&t!==void 0&&scrollBy(0,n.getBoundingClientRect().top-t),Ho()}function ms(){return c`<header class="masthead">
      <a class="skip hidden" href="#reference">Skip to the reference</a>
      <h1 class="brand"><img src="docs/favicon.svg" alt="" width="32" height="32" />${W.value.info?.title}</h1>
      <a class="other" href="shop">The shop, for staff</a>
      <${vo} />
    </header>
    <div class="columns"><${Do} /><main id="reference" tabindex="-1">
      ${hn.value&&c`<p class="part problem" role="alert">Nothing here is called “${hn.value}”.</p>`}
      <${ps} />
    </main></div>
    <p class="hidden" role="status">${dt.value}</p>`}history.scrollRestoration="manual";addEventListener("popstate",Bo);addEventListener("scroll",Ho);addEventListener("scrollend",ds);addEventListener("keydown",e=>{let t=e.target instanceof Element&&e.target.matches("input, select, textarea");e.key!=="/"||e.ctrlKey||e.metaKey||e.altKey||t||(e.preventDefault(),No())});var St=document.getElementById("page")??document.body;async function hs(){let e=await fetch("openapi.json");if(!e.ok)throw new Error(`openapi.json: ${e.status}`);W.value=oo(await e.text());let t=W.value.info?.title??document.title;D(()=>{let n=be.value==="introduction"||!mn.value;document.title=n?t:`${mn.value} · ${t}`}),St.replaceChildren(),At(c`<${ms} />`,St),mo()}hs().catch(e=>{let t=`The reference could not be loaded (${e instanceof Error?e.message:e}). Reload the page to try again.`;St.replaceChildren(),At(c`<main class="notice"><h1>Reference</h1><p role="alert">${t}</p></main>`,St)});
